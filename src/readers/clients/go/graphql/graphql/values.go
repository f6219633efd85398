package graphql

import (
	"encoding/json"
	"strconv"
)

// BigInt is an integer of 64 bits, which travels as text.
type BigInt int64

// MarshalJSON writes its digits as a text.
func (i BigInt) MarshalJSON() ([]byte, error) {
	return json.Marshal(strconv.FormatInt(int64(i), 10))
}

// UnmarshalJSON reads the digits of a text.
func (i *BigInt) UnmarshalJSON(data []byte) error {
	var digits string
	if err := json.Unmarshal(data, &digits); err != nil {
		return err
	}
	value, err := strconv.ParseInt(digits, 10, 64)
	*i = BigInt(value)
	return err
}
