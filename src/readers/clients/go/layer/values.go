package client

import (
	"iter"
	"net/http"

	"github.com/oapi-codegen/nullable"
)

// All goes through a list, page by page, as its entries are needed. fetch asks for the page at a cursor, which is nil for the
// first, and answers with its entries and the next cursor.
func All[T any](fetch func(cursor *string) ([]T, nullable.Nullable[string], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for cursor := (*string)(nil); ; {
			entries, next, err := fetch(cursor)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, entry := range entries {
				if !yield(entry, nil) {
					return
				}
			}
			value, err := next.Get()
			if err != nil { // null: that was the last page
				return
			}
			cursor = &value
		}
	}
}

// Of gives what may be left out a value.
func Of[T any](value T) *T { return &value }

// Set gives what may be null a value.
func Set[T any](value T) nullable.Nullable[T] { return nullable.NewNullableWithValue(value) }

// Clear makes what may be null so; what is neither set nor cleared is not sent.
func Clear[T any]() nullable.Nullable[T] { return nullable.NewNullNullable[T]() }

// ETag is the entity tag of what was answered, for IfMatch and IfNoneMatch; nil when it has none.
func ETag(res *http.Response) *string {
	if tag := res.Header.Get("ETag"); tag != "" {
		return &tag
	}
	return nil
}
