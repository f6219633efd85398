// Subscriptions through the Go client: of the storefront, and of a server whose answers are a script.
package shop_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	genqlient "github.com/Khan/genqlient/graphql"

	"example.com/acme/shop"
	"example.com/acme/shop/graphql"
)

func TestGraphQLFollowsWhatHappens(t *testing.T) {
	var made graphql.Product
	create := shop.OnConnected(func() { made = graphqlCreate("Announced", 100) })
	for product, err := range graphql.OnProductCreated(ctx, visitors, create) {
		expect(t, must(product, err).Id, made.Id)
		break
	}
	remove := shop.OnConnected(func() { must(graphql.DeleteProduct(ctx, clerks, made.Id, nil)) })
	for id, err := range graphql.OnProductDeleted(ctx, visitors, shop.Set(made.Id), remove) {
		expect(t, must(id, err), made.Id)
		break
	}
}

func TestGraphQLEndsWhereTheStorefrontRefuses(t *testing.T) {
	refused := 0
	for _, err := range graphql.OnOrderCreated(ctx, visitors, nil, shop.OnMissed(func() {})) {
		expect(t, errors.Is(err, shop.CodeUnauthenticated), true)
		refused++
	}
	expect(t, refused, 1)
}

// What a server does with one connection.
type step func(w http.ResponseWriter)

func stream(messages ...string) step {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for _, message := range messages {
			fmt.Fprintf(w, "%s\n\n", message)
		}
		w.(http.Flusher).Flush()
	}
}

func answers(status int, body string) step {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func event(version int) string {
	return fmt.Sprintf(`event: next
data: {"data":{"productUpdated":{"id":"a","version":%d,"createdAt":"2026-01-01T00:00:00Z","delivery":{"__typename":"PhysicalDelivery"}}}}`, version)
}

func failed(code string, status int) string {
	return fmt.Sprintf("event: next\ndata: {\"errors\":[%s]}", problem(code, status))
}

func problem(code string, status int) string {
	return fmt.Sprintf(`{"message":"No.","extensions":{"code":"%s","status":%d}}`, code, status)
}

const complete = "event: complete\ndata:"

// The client of a server that goes through the steps, and the tokens that it was given; another connection is an error of the test.
func scripted(t *testing.T, steps ...step) (genqlient.Client, *[]string) {
	var tokens []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(tokens) == len(steps) {
			t.Error("one connection too many")
			return
		}
		tokens = append(tokens, r.Header.Get("Authorization"))
		steps[len(tokens)-1](w)
	}))
	t.Cleanup(server.Close)
	asked := 0
	count := func(context.Context) (string, error) { asked++; return fmt.Sprint(asked), nil }
	// A subscription waits as long as the server asks, whatever requests do.
	return must(shop.NewGraphQL(server.URL, shop.Connection{Token: count, LongestWait: 1}, "")), &tokens
}

// The versions of the first events, at most so many, and how it ended.
func follow(client genqlient.Client, most int, options ...shop.SubscribeOption) (versions []int, end error) {
	for product, err := range graphql.OnProductUpdated(ctx, client, nil, options...) {
		if err != nil {
			return versions, err
		}
		if versions = append(versions, int(product.Version)); len(versions) == most {
			break
		}
	}
	return versions, nil
}

func TestGraphQLConnectsAgainWithATokenAsOfThen(t *testing.T) {
	client, tokens := scripted(t, stream(event(2), event(1)), answers(503, "{}"), stream(event(1), event(3)), stream(event(4), complete))
	missed, before := 0, time.Now()
	versions, err := follow(client, 9, shop.OnMissed(func() { missed++ }))
	expect(t, err, nil)
	expect(t, slices.Equal(versions, []int{2, 3, 4}), true)
	expect(t, missed, 2)
	expect(t, slices.Equal(*tokens, []string{"Bearer 1", "Bearer 2", "Bearer 3", "Bearer 4"}), true)
	expect(t, time.Since(before) >= time.Second, true)
}

func TestGraphQLEndsRatherThanMissEventsInSilence(t *testing.T) {
	client, _ := scripted(t, stream(event(1)))
	versions, err := follow(client, 9)
	expect(t, len(versions), 1)
	expect(t, errors.Is(err, shop.ErrConnectionLost), true)
	client, _ = scripted(t, stream(failed("EVENTS_MISSED", 500), event(1)))
	_, err = follow(client, 9)
	expect(t, errors.Is(err, shop.Code("EVENTS_MISSED")), true)
	client, _ = scripted(t, stream(failed("EVENTS_MISSED", 500), event(1)))
	missed := 0
	versions, err = follow(client, 1, shop.OnMissed(func() { missed++ }))
	expect(t, len(versions) == 1 && missed == 1 && err == nil, true)
}

func TestGraphQLEndsWhenItIsRefused(t *testing.T) {
	refusals := map[string]step{
		"UNAUTHENTICATED":           answers(401, `{"errors":[`+problem("UNAUTHENTICATED", 401)+`]}`),
		"GRAPHQL_VALIDATION_FAILED": answers(200, `{"errors":[`+problem("GRAPHQL_VALIDATION_FAILED", 400)+`]}`),
		"FORBIDDEN":                 stream(failed("FORBIDDEN", 403)),
	}
	for code, refusal := range refusals {
		client, _ := scripted(t, refusal)
		_, err := follow(client, 9, shop.OnMissed(func() {}))
		expect(t, errors.Is(err, shop.Code(code)), true)
	}
}

func TestGraphQLConnectsAgainWhenItsTokenHasExpired(t *testing.T) {
	client, _ := scripted(t, stream(failed("UNAUTHENTICATED", 401)), stream(event(1)))
	versions, err := follow(client, 1, shop.OnMissed(func() {}))
	expect(t, len(versions) == 1 && err == nil, true)
}

func TestGraphQLGivesUpAfterItsRetries(t *testing.T) {
	client, _ := scripted(t, stream(), stream(), stream())
	_, err := follow(client, 1, shop.OnMissed(func() {}), shop.MaxRetries(2))
	expect(t, errors.Is(err, shop.ErrConnectionLost), true)
}

func TestGraphQLTakesSilenceForALoss(t *testing.T) {
	ended := make(chan struct{})
	defer close(ended)
	client, _ := scripted(t, func(w http.ResponseWriter) { stream(event(1))(w); <-ended })
	versions, err := follow(client, 9, shop.MaxSilence(200*time.Millisecond))
	expect(t, len(versions), 1)
	expect(t, errors.Is(err, shop.ErrConnectionLost), true)
}

func TestGraphQLEndsWithItsContext(t *testing.T) {
	ending, cancel := context.WithCancel(ctx)
	for _, err := range graphql.OnProductCreated(ending, visitors, shop.OnConnected(cancel)) {
		expect(t, errors.Is(err, context.Canceled), true)
	}
}

func TestGraphQLEndsWhereItsLoopIsLeftAndItsContextHasEnded(t *testing.T) {
	client, _ := scripted(t, stream(event(1)))
	ending, cancel := context.WithCancel(ctx)
	defer cancel()
	for range graphql.OnProductUpdated(ending, client, nil, shop.OnMissed(func() {})) {
		cancel()
		break
	}
}

func TestGraphQLRemembersVersionsOfManyRows(t *testing.T) {
	row := func(id, version int) string {
		return fmt.Sprintf("event: next\ndata: {\"data\":{\"productUpdated\":{\"id\":\"%d\",\"version\":%d,\"createdAt\":\"2026-01-01T00:00:00Z\",\"delivery\":{\"__typename\":\"PhysicalDelivery\"}}}}", id, version)
	}
	messages := []string{}
	for id := range 10_001 {
		messages = append(messages, row(id, 2))
	}
	client, _ := scripted(t, stream(append(messages, row(1, 1), row(1, 3))...))
	versions, err := follow(client, 10_002)
	expect(t, err, nil)
	expect(t, versions[10_001], 3)
}
