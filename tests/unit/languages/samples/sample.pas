unit Shapes;

interface

uses SysUtils, Classes;

const
  Limit = 10;

type
  TCircle = class(TObject)
    FRadius: Double;
    function Area: Double;
  end;

procedure Show(const C: TCircle);

implementation

{ Measures. }
function TCircle.Area: Double;
begin
  Result := Square(FRadius);
end;

procedure Show(const C: TCircle);
begin
  WriteLn(C.Area);
end;

end.
