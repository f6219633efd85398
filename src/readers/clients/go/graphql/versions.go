package client

import "encoding/json"

// How many rows a subscription remembers: those of its latest events, and up to as many before them.
const maxRows = 10_000

// lastVersions has the last version of each row that events show. One server sends the events of a row in the order of its versions;
// where several write, an older event may come after a newer one.
type lastVersions struct{ latest, before map[string]int64 }

func (v *lastVersions) isOlder(data json.RawMessage) bool {
	var events map[string]struct {
		ID        json.RawMessage `json:"id"`
		Version   *int64          `json:"version"`
		CreatedAt *string         `json:"createdAt"`
	}
	if json.Unmarshal(data, &events) != nil {
		return false // It is no row.
	}
	for _, row := range events {
		if row.ID == nil || row.Version == nil || row.CreatedAt == nil {
			continue
		}
		// What is created again with the same id is another row, whose versions begin anew.
		key := *row.CreatedAt + " " + string(row.ID)
		if *row.Version < max(v.latest[key], v.before[key]) {
			return true
		}
		if v.latest == nil || len(v.latest) == maxRows {
			v.latest, v.before = map[string]int64{}, v.latest
		}
		v.latest[key] = *row.Version
	}
	return false
}
