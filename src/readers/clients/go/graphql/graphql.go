package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"regexp"
	"slices"

	"github.com/Khan/genqlient/graphql"
	"github.com/google/uuid"
	"github.com/oapi-codegen/nullable"
)

// NewGraphQL makes the client that the functions of the package graphql take. graphqlURL may be relative to baseURL; empty, it is
// "/graphql". What the API refuses is an error, of type [*Error]; where several fields of a document fail, errors.Is and errors.As
// look into each.
func NewGraphQL(baseURL string, connection Connection, graphqlURL string) (graphql.Client, error) {
	base, err := url.Parse(baseURL)
	if err != nil {
		return nil, err
	}
	if graphqlURL == "" {
		graphqlURL = "/graphql"
	}
	endpoint, err := base.Parse(graphqlURL)
	if err != nil {
		return nil, err
	}
	return &graphqlClient{endpoint.String(), connection.withDefaults()}, nil
}

// WithIdempotencyKey gives a key to what is created with the context, for attempts of a later run; without it, each call has one of
// its own.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, key)
}

type idempotencyKey struct{}

// AllNodes goes through a connection, page by page, as its entries are needed. fetch asks for the page behind a cursor, which is not
// set for the first, and answers with its entries, whether there is another page, and the cursor of its end.
func AllNodes[T any](
	fetch func(after nullable.Nullable[string]) (nodes []T, hasNextPage bool, end nullable.Nullable[string], err error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var after nullable.Nullable[string]
		for {
			nodes, hasNextPage, end, err := fetch(after)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, node := range nodes {
				if !yield(node, nil) {
					return
				}
			}
			if !hasNextPage {
				return
			}
			after = end
		}
	}
}

type graphqlClient struct {
	endpoint   string
	connection *Connection
}

type graphqlAnswer struct {
	Data   any            `json:"data"`
	Errors []graphqlError `json:"errors"`
}

type graphqlError struct {
	Message    string          `json:"message"`
	Extensions json.RawMessage `json:"extensions"`
}

var mutation = regexp.MustCompile(`^\s*mutation\b[^{]*\{\s*(\w+)`)

// MakeRequest is what the functions of the package graphql call.
func (c *graphqlClient) MakeRequest(ctx context.Context, req *graphql.Request, resp *graphql.Response) error {
	body, err := json.Marshal(req)
	if err != nil {
		return err
	}
	changes := mutation.FindStringSubmatch(req.Query)
	isCreating := changes != nil && slices.Contains(creating, changes[1])
	ctx = context.WithValue(ctx, repeatable{}, changes == nil || isCreating)
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	sent.Header.Set("Content-Type", "application/json")
	sent.Header.Set("Accept", "application/graphql-response+json")
	if isCreating {
		key, isGiven := ctx.Value(idempotencyKey{}).(string)
		if !isGiven {
			key = uuid.NewString()
		}
		sent.Header.Set("Idempotency-Key", key)
	}
	res, err := c.connection.Do(sent)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer := graphqlAnswer{Data: resp.Data}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return err
	}
	return failureOf(answer.Errors)
}

func failureOf(answered []graphqlError) error {
	failures := make([]error, 0, len(answered))
	for _, one := range answered {
		failures = append(failures, one.failure())
	}
	if len(failures) == 1 {
		return failures[0]
	}
	return errors.Join(failures...)
}

func (e graphqlError) failure() *Error {
	failure := &Error{Status: http.StatusInternalServerError}
	var details struct {
		Status int `json:"status"`
	}
	if json.Unmarshal(e.Extensions, failure) == nil && json.Unmarshal(e.Extensions, &details) == nil && details.Status != 0 {
		failure.Status = details.Status
	}
	if failure.Detail == "" {
		failure.Detail = e.Message
	}
	return failure
}
