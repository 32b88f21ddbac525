package cats
package data

import scala.annotation.tailrec
import cats.syntax.all._

/** A chain. */
sealed abstract class Chain[+A] extends Product {
  val limit = 10
  type Self = Chain[A]
  /** Maps. */
  def map[B](f: A => B): Chain[B] = fold(f)
}

object Chain extends ChainInstances {
  def empty[A]: Chain[A] = new Empty
  implicit val order: Order[Int] = build(1)
}

trait Functor[F[_]] { def lift(x: Int): Int }
case class Wrap(a: Int)
enum Colour { case Red, Green }
given intOrd: Ord[Int] with { def compare(x: Int) = x }
