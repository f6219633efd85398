package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// Token answers with the token of a request; it is asked before each attempt.
type Token func(ctx context.Context) (string, error)

// StaticToken is a token that never changes.
func StaticToken(token string) Token {
	return func(context.Context) (string, error) { return token, nil }
}

// Connection sends requests, again where that is safe. Its zero value is ready: nobody is signed in.
type Connection struct {
	// Token, if not nil, signs the caller in.
	Token Token
	// HTTP sends each attempt; with nil, a client that gives up after 30 seconds.
	HTTP *http.Client
	// Retries is how often a request is sent again; 0: three times, less than 0: never.
	Retries int
	// LongestWait is left to the caller if the server asks for more; 0: 20 seconds.
	LongestWait time.Duration

	// What this client has written, its next read sees, whichever instance answers: the last Consistency-Token.
	consistency *atomic.Value
}

func (c Connection) withDefaults() *Connection {
	if c.HTTP == nil {
		c.HTTP = &http.Client{Timeout: 30 * time.Second}
	}
	if c.Retries == 0 {
		c.Retries = 3
	}
	if c.LongestWait == 0 {
		c.LongestWait = 20 * time.Second
	}
	c.consistency = &atomic.Value{}
	return &c
}

const consistencyToken = "Consistency-Token"

// JSON is asked for before what an operation answers beside it.
const accepted = "application/json, */*;q=0.8"

// Methods whose effect is the same once or twice (RFC 9110, 9.2.2).
var idempotent = []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPut, http.MethodDelete}

// Of requests whose method does not tell whether they can be repeated, the context does: a bool.
type repeatable struct{}

// With If-Match, a second attempt would fail for the first one's success.
func isRepeatable(req *http.Request) bool {
	if isIt, isSaid := req.Context().Value(repeatable{}).(bool); isSaid {
		return isIt
	}
	if req.Header.Get("Idempotency-Key") != "" {
		return true
	}
	return slices.Contains(idempotent, req.Method) && req.Header.Get("If-Match") == ""
}

// Do sends a request of the generated client.
func (c *Connection) Do(req *http.Request) (*http.Response, error) {
	isSaid := req.Context().Value(repeatable{}) != nil
	if req.Method == http.MethodPost && !isSaid && req.Header.Get("Idempotency-Key") == "" {
		req.Header.Set("Idempotency-Key", uuid.NewString())
	}
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", accepted)
	}
	for attempt := 0; ; attempt++ {
		if err := c.authorize(req); err != nil {
			return nil, err
		}
		res, err := c.attempt(req)
		if err == nil && res.StatusCode < 400 {
			return res, nil
		}
		var failure *Error
		if err == nil {
			failure = readError(res)
			err = failure
		}
		wait, again := c.wait(req, failure, attempt)
		if !again {
			return nil, err
		}
		select {
		case <-time.After(wait):
		case <-req.Context().Done():
			return nil, errors.Join(req.Context().Err(), err)
		}
	}
}

func (c *Connection) attempt(original *http.Request) (*http.Response, error) {
	req := original.Clone(original.Context())
	if original.GetBody != nil {
		body, err := original.GetBody()
		if err != nil {
			return nil, err
		}
		req.Body = body
	}
	if last, isKept := c.consistency.Load().(string); isKept && req.Header.Get(consistencyToken) == "" {
		req.Header.Set(consistencyToken, last)
	}
	res, err := c.HTTP.Do(req)
	if err == nil && res.Header.Get(consistencyToken) != "" {
		c.consistency.Store(res.Header.Get(consistencyToken))
	}
	return res, err
}

func (c *Connection) authorize(req *http.Request) error {
	if c.Token == nil {
		return nil
	}
	token, err := c.Token(req.Context())
	if err == nil {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return err
}

// wait tells how long to wait, and whether there is another attempt. failure is nil when there was no answer.
func (c *Connection) wait(req *http.Request, failure *Error, attempt int) (time.Duration, bool) {
	uncertain := failure == nil
	// Half of it at random: callers that failed together come back one by one.
	step := 250 * time.Millisecond << min(attempt, 6)
	wait := step/2 + rand.N(step/2)
	if failure != nil {
		uncertain = failure.isUncertain()
		if failure.RetryAfter > 0 {
			wait = failure.RetryAfter
		}
	}
	again := (failure != nil && failure.isRefused()) || (uncertain && isRepeatable(req))
	return wait, again && attempt < c.Retries && wait <= c.LongestWait && req.Context().Err() == nil
}
