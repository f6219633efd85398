package client

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Code is what went wrong, for programs: errors.Is(err, CodeNotFound). A later version of the API may add others.
type Code string

// Error makes a code an error that others can be compared with.
func (c Code) Error() string { return string(c) }

// FieldError is one fault of a request; Pointer (RFC 6901), Parameter, Header or GraphQL's Argument is its place.
type FieldError struct {
	Pointer   string `json:"pointer"`
	Parameter string `json:"parameter"`
	Header    string `json:"header"`
	Argument  string `json:"argument"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`
}

func (f FieldError) place() string { return f.Pointer + f.Parameter + f.Header + f.Argument }

// Error is a problem (RFC 9457) that the API answered with; errors.As finds it.
type Error struct {
	// Code is empty when the answer is not the API's, but a proxy's.
	Code      Code         `json:"code"`
	Status    int          `json:"-"`
	Title     string       `json:"title"`
	Detail    string       `json:"detail"`
	Errors    []FieldError `json:"errors"`
	RequestID string       `json:"requestId"`
	// RetryAfter is how long the server asks to wait; 0 when it does not.
	RetryAfter time.Duration `json:"-"`
}

// Error tells the code, and every fault with its place.
func (e *Error) Error() string {
	faults := make([]string, 0, len(e.Errors))
	for _, fault := range e.Errors {
		faults = append(faults, fault.place()+": "+fault.Detail)
	}
	detail := strings.Join(faults, "; ")
	if detail == "" {
		detail = e.Detail
	}
	if detail == "" {
		detail = e.Title
	}
	return fmt.Sprintf("%d %s: %s", e.Status, e.Code, detail)
}

// Is says whether the error has the code.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// The server took no notice of the request.
func (e *Error) isRefused() bool { return e.Status == 408 || e.Status == 429 }

// Nobody knows whether it did.
func (e *Error) isUncertain() bool { return e.Status >= 502 && e.Status <= 504 }

const longestProblem = 1 << 20

func readError(res *http.Response) *Error {
	defer res.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(res.Body, longestProblem))
	// GraphQL's errors have the problem inside; the first is the one to report.
	var answer struct {
		Errors []struct {
			Extensions json.RawMessage `json:"extensions"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &answer) == nil && len(answer.Errors) > 0 && answer.Errors[0].Extensions != nil {
		body = answer.Errors[0].Extensions
	}
	e := &Error{}
	if json.Unmarshal(body, e) != nil {
		e = &Error{}
	}
	e.Status = res.StatusCode
	if e.Title == "" {
		e.Title = http.StatusText(res.StatusCode)
	}
	e.RetryAfter = retryAfter(res.Header.Get("Retry-After"))
	return e
}

// Seconds, or a date (RFC 9110, 10.2.3).
func retryAfter(value string) time.Duration {
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
