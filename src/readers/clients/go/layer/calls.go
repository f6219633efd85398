package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"example.com/client/api"
)

// IfVersion makes a change apply to one version alone: another is an error with the code PRECONDITION_FAILED.
func IfVersion[V int | int32 | int64 | string](version V) api.RequestEditorFn {
	return header("If-Match", fmt.Sprintf("%q", fmt.Sprint(version)))
}

// IfAbsent lets a replacement that may create do that alone.
func IfAbsent() api.RequestEditorFn { return header("If-None-Match", "*") }

// IfNoneMatch saves an answer that has this entity tag still: it is an [*Error] whose Status is 304.
func IfNoneMatch(tag string) api.RequestEditorFn { return header("If-None-Match", tag) }

// IdempotencyKey is the key of what is created: the same never creates twice.
func IdempotencyKey(key string) api.RequestEditorFn { return header("Idempotency-Key", key) }

func header(name, value string) api.RequestEditorFn {
	return func(_ context.Context, req *http.Request) error {
		req.Header.Set(name, value)
		return nil
	}
}

// The options of a change to a version that was read; what the caller gives comes after it.
func since[V int | int32 | int64 | string](version V, options []api.RequestEditorFn) []api.RequestEditorFn {
	return append([]api.RequestEditorFn{IfVersion(version)}, options...)
}

func answer[T any](res *http.Response, bodies ...*T) (*T, error) {
	for _, body := range bodies {
		if body != nil {
			return body, nil
		}
	}
	return nil, &Error{Status: res.StatusCode, Title: http.StatusText(res.StatusCode)}
}

// How often a change is tried that others get in the way of.
const maxChanges = 5

func change[R, P any](read func() (*R, error), patchOf func(*R) (*P, error), update func(*R, P) (*R, error)) (*R, error) {
	for attempt := 1; ; attempt++ {
		current, err := read()
		if err != nil {
			return nil, err
		}
		patch, err := patchOf(current)
		if err != nil {
			return nil, err
		}
		if patch == nil {
			return current, nil
		}
		changed, err := update(current, *patch)
		// Of a row without a version, no change fails so.
		if err == nil || attempt == maxChanges || !errors.Is(err, Code("PRECONDITION_FAILED")) {
			return changed, err
		}
	}
}

func valueOf[T any](pointer *T) (value T) {
	if pointer != nil {
		value = *pointer
	}
	return value
}
