<?php
namespace App\Http;

use App\Models\User;
use function strlen;

const LIMIT = 10;

/** Handles requests. */
#[Route('/')]
final class Controller extends Base implements Handles
{
    use Loggable;
    public const MAX = 1;
    private ?string $name = null;

    public function __construct(private User $user) {}

    /** Shows one. */
    public function show(int $id): Response
    {
        return $this->render(view($id), User::find($id));
    }
}

interface Handles { public function show(int $id): Response; }
trait Loggable { function log() {} }
enum Suit: string { case Hearts = 'H'; }
function helper(string $x): string { return strlen($x); }
