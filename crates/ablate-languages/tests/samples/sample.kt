package shapes

import kotlin.math.max

interface Shape<out T> { val area: Int get() = 0 }

data class Box<T>(val width: Int, var name: String? = null) : Shape<T> {
    override val area: Int
        get() = width * 2

    companion object { const val LIMIT = 10 }
}

fun <T> twice(x: T, f: (T) -> Int): Int = f(x) * 2

fun main(args: Array<String>) {
    val box = Box<Int>(1, "a")
    for (i in 0..3) {
        if (i > Box.LIMIT) { println("$i is ${box.name?.length ?: 0}") } else { continue }
    }
    when (box.area) {
        1, 2 -> println(max(1, 2))
        else -> twice(box) { it.width }
    }
}
