package client

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

const longestStep = 30 * time.Second

// isLoss is whether another connection may do better: what the server refuses, it refuses again.
func (s *subscription) isLoss(err error) bool {
	var refusal *Error
	if !errors.As(err, &refusal) {
		return errors.Is(err, ErrConnectionLost)
	}
	// What has no token, or a wrong one, is refused before the server listens: this one has expired.
	isExpired := refusal.Status == http.StatusUnauthorized && s.isOpen && s.connection.Token != nil
	return isExpired || refusal.isRefused() || refusal.isUncertain()
}

// untilNext is how long to wait before the next attempt: as the server asks, or half of a growing wait at random.
func untilNext(err error, failures int) time.Duration {
	var refusal *Error
	if errors.As(err, &refusal) && refusal.RetryAfter > 0 {
		return refusal.RetryAfter + rand.N(time.Second/2)
	}
	step := min(time.Second<<min(failures, 5), longestStep)
	return step/2 + rand.N(step/2)
}
