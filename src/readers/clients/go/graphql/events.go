package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/Khan/genqlient/graphql"
)

// ErrConnectionLost is why a subscription ends that is not to connect again, or could not: events may have been missed.
var ErrConnectionLost = errors.New("the connection was lost")

const eventsMissed = Code("EVENTS_MISSED")

// SubscribeOption says how a subscription is kept up.
type SubscribeOption func(*subscription)

// OnMissed runs when events may have been missed, the connection having been lost for one: what they would have shown must be read
// again. Without it, the subscription ends with an error then.
func OnMissed(run func()) SubscribeOption { return func(s *subscription) { s.onMissed = run } }

// OnConnected runs once the server is listened to, and again after each reconnection.
func OnConnected(run func()) SubscribeOption { return func(s *subscription) { s.onConnected = run } }

// MaxRetries is how often a lost connection is tried again, given [OnMissed]; 10 by default.
func MaxRetries(most int) SubscribeOption {
	return func(s *subscription) { s.connection.Retries = most }
}

// MaxSilence is how long nothing may come until the connection is taken for lost: the server sends a sign of life every 12 seconds.
// 30 seconds by default.
func MaxSilence(longest time.Duration) SubscribeOption {
	return func(s *subscription) { s.silence = longest }
}

// Subscribe gives the events of a subscription, as they come (GraphQL over server-sent events), without those that show an older
// version of a row than one before them, until the server completes it. It connects again when the connection is lost, with a token as
// of then. Leave the loop, or cancel the context, to end it. ask calls the subscription's function of genqlient; eventOf takes what is wanted of the data.
func Subscribe[D, E any](
	ctx context.Context, client graphql.Client, ask func(graphql.WebSocketClient) error, eventOf func(D) E, options ...SubscribeOption,
) iter.Seq2[E, error] {
	return func(yield func(E, error) bool) {
		s, err := subscriptionOf(client, ask, options)
		if err == nil {
			err = s.follow(ctx, func(data json.RawMessage) error {
				var event D
				if err := json.Unmarshal(data, &event); err != nil {
					return err
				}
				if !yield(eventOf(event), nil) {
					return errLeft
				}
				return nil
			})
		}
		if err != nil && err != errLeft {
			var none E
			yield(none, err)
		}
	}
}

// The caller has left the loop.
var errLeft = errors.New("left")

type subscription struct {
	endpoint    string
	connection  Connection
	body        []byte
	silence     time.Duration
	onMissed    func()
	onConnected func()
	connections int
	seen        lastVersions
	// Whether the server listens.
	isOpen bool
	// Whether it has said anything since.
	isHeard bool
}

func subscriptionOf(client graphql.Client, ask func(graphql.WebSocketClient) error, options []SubscribeOption) (*subscription, error) {
	own, isOwn := client.(*graphqlClient)
	if !isOwn {
		return nil, errors.New("subscriptions need a client that NewGraphQL has made")
	}
	var asked request
	if err := ask(&asked); err != nil {
		return nil, err
	}
	body, err := json.Marshal(asked.request)
	s := &subscription{endpoint: own.endpoint, connection: *own.connection, body: body, silence: 30 * time.Second}
	s.connection.Retries = 10
	for _, option := range options {
		option(s)
	}
	// The answer has no end: silence is what is limited.
	endless := *s.connection.HTTP
	endless.Timeout = 0
	s.connection.HTTP = &endless
	return s, err
}

// follow sends the events of one connection after the other.
func (s *subscription) follow(ctx context.Context, send func(json.RawMessage) error) error {
	for failures := 0; ; failures++ {
		s.isOpen, s.isHeard = false, false
		req, err := http.NewRequestWithContext(context.WithValue(ctx, repeatable{}, true), http.MethodPost, s.endpoint, bytes.NewReader(s.body))
		if err != nil {
			return err
		}
		err = s.listen(req, send)
		if err == nil || err == errLeft {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if s.isHeard {
			failures = 0
		}
		if s.onMissed == nil || failures >= s.connection.Retries || !s.isLoss(err) {
			return err
		}
		select {
		case <-time.After(untilNext(err, failures)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// listen connects, and sends what comes until there is an error, or the server completes.
func (s *subscription) listen(req *http.Request, send func(json.RawMessage) error) error {
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	silence := time.AfterFunc(s.silence, cancel)
	defer silence.Stop()
	req = req.WithContext(ctx)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	if err := s.connection.authorize(req); err != nil {
		return err
	}
	res, err := s.connection.attempt(req)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrConnectionLost, err)
	}
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		failure := readError(res)
		if failure.Status < 400 && failure.Code == "" {
			return fmt.Errorf("%w: the answer is not a stream of events", ErrConnectionLost)
		}
		if failure.Status < 400 {
			failure.Status = http.StatusBadRequest
		}
		return failure
	}
	defer res.Body.Close()
	silence.Stop()
	s.isOpen = true
	if s.onConnected != nil {
		s.onConnected()
	}
	if s.connections++; s.connections > 1 {
		s.onMissed()
	}
	return s.read(bufio.NewReader(res.Body), silence, send)
}

// read sends the messages of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html).
func (s *subscription) read(stream *bufio.Reader, silence *time.Timer, send func(json.RawMessage) error) error {
	var event, data string
	for {
		silence.Reset(s.silence)
		line, err := stream.ReadString('\n')
		silence.Stop()
		if err != nil {
			return fmt.Errorf("%w: %w", ErrConnectionLost, err)
		}
		line = strings.TrimRight(line, "\r\n")
		name, value, _ := strings.Cut(line, ":")
		switch {
		case line == "" && event == "complete":
			return nil
		case line == "" && data != "":
			if err := s.take(data, send); err != nil {
				return err
			}
			event, data = "", ""
		case name == "event":
			event = strings.TrimSpace(value)
		case name == "data":
			data += value + "\n"
		case name == "" && line != "":
			s.isHeard = true
		}
	}
}

// take sends the data of a message, unless it shows what is older than what was seen.
func (s *subscription) take(message string, send func(json.RawMessage) error) error {
	var answer struct {
		Data   json.RawMessage `json:"data"`
		Errors []graphqlError  `json:"errors"`
	}
	if err := json.Unmarshal([]byte(message), &answer); err != nil {
		return fmt.Errorf("%w: %w", ErrConnectionLost, err)
	}
	if err := failureOf(answer.Errors); errors.Is(err, eventsMissed) && s.onMissed != nil {
		s.isHeard = true
		s.onMissed()
		return nil
	} else if err != nil {
		return err
	}
	s.isHeard = true
	if s.seen.isOlder(answer.Data) {
		return nil
	}
	return send(answer.Data)
}

// request keeps what a subscription's function would send over a WebSocket.
type request struct{ request *graphql.Request }

func (r *request) Start(context.Context) (chan error, error) { return nil, nil }
func (r *request) Close() error                              { return nil }
func (r *request) Unsubscribe(string) error                  { return nil }
func (r *request) Subscribe(req *graphql.Request, _ any, _ graphql.ForwardDataFunction) (string, error) {
	r.request = req
	return "", nil
}
