defmodule Phoenix.Router do
  @moduledoc """
  Defines a router.
  """
  use Plug.Builder
  alias Phoenix.Conn
  import Plug.Conn, only: [halt: 1]

  @limit 10
  defstruct [:name]

  @doc """
  Calls it.
  """
  @spec call(map, list) :: map
  def call(conn, []), do: conn
  def call(conn, opts) when is_list(opts) do
    conn |> halt() |> Enum.map(opts)
  end

  defp secret(x), do: x
  defmacro get(path), do: path
  defguard is_ok(x) when x == :ok

  defmodule Inner do
    def deep, do: 1
  end
end

defprotocol Size do
  def size(x)
end

defimpl Size, for: Map do
  def size(x), do: map_size(x)
end

test "works" do
  assert true
end
