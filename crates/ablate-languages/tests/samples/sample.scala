package shapes

import scala.collection.mutable.{Map, Set}

sealed trait Shape[+A] { def area: Int = 0 }
case class Box[A](width: Int, name: String = "box") extends Shape[A]

object Main {
  val limit: Int = 10
  implicit def toInt(s: String): Int = s.length

  def twice[T](f: T => Int)(x: T): Int = f(x) * 2

  def main(args: Array[String]): Unit = {
    val found = for (x <- 1 to limit if x % 2 == 0) yield x * 2
    var shape: Shape[Int] = Box(1)
    shape match {
      case Box(w, _) if w > 0 => println(s"width $w")
      case _ => throw new RuntimeException("no")
    }
    while (found.isEmpty) { shape = null }
  }
}
