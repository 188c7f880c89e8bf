<?php
declare(strict_types=1);
namespace Shapes;

use InvalidArgumentException as Bad;

interface Area { public function area(): int; }

abstract class Box implements Area
{
    const LIMIT = 10;
    private ?string $name = null;
    public function __construct(private int $width, array $rest = []) { $this->name = "box {$width}"; }
    public function area(): int
    {
        foreach ([1, 2 => 'a'] as $key => $value) {
            if ($key > self::LIMIT) { throw new Bad('too large'); } elseif ($value) { continue; }
        }
        return $this->width * 2;
    }
}

function twice(callable $f, &...$args) { return $f(...$args) ?? fn($x) => $x * 2; }
$count = 0;
while ($count < 3) { $count++; }
echo $count, "\n";
