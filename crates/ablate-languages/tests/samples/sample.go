package main

import (
	"fmt"
	str "strings"
)

type Shape interface {
	Area() int
}

type Box[T any] struct {
	Width, Height int
	Name          string `json:"name"`
	inner         []T
}

const limit = 0x10

func (b *Box[T]) Area() int { return b.Width * b.Height }

func main() {
	boxes := map[string]Shape{"a": &Box[int]{Width: 1, Height: 2}}
	done := make(chan bool, 1)
	for name, box := range boxes {
		if area := box.Area(); area > limit {
			fmt.Println(str.ToUpper(name), area)
		} else {
			go func(n int) { done <- n > 0 }(area)
		}
	}
	defer close(done)
	switch <-done {
	case true:
		return
	default:
	}
}
