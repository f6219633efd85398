/** What the generated code calls to write a form: it prints objects as Go does. */
const GENERATED = 'runtime.MarshalForm(body, nil)';

/** Generated code that has the layer write its forms; the same if it has none. */
export const withForms = (text: string): string =>
  text.includes(GENERATED)
    ? `${text.replaceAll(GENERATED, 'marshalForm(body)')}\n// The layer writes forms.\nvar _ = runtime.MarshalForm\n`
    : text;

/** Generated code whose cookies have any characters: `net/http` would leave some of them out. */
export const withCookies = (text: string): string =>
  text.replace(/(\tValue: )(cookieParam\d+),/g, '$1url.PathEscape($2),');

/** The file beside the generated code. `deep`: the fields that are written as their members in brackets. */
export const formsFile = (deep: readonly string[]): string => `package api

import (
	"encoding/json"
	"net/url"
)

// The fields whose members are in brackets.
var deepFields = map[string]bool{${deep.map((name) => `${JSON.stringify(name)}: true`).join(', ')}}

// marshalForm writes a form: a list as one field for each of its items, any other object as JSON.
func marshalForm(body any) (url.Values, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	values := url.Values{}
	for name, value := range fields {
		var members map[string]json.RawMessage
		var items []json.RawMessage
		switch {
		case deepFields[name] && json.Unmarshal(value, &members) == nil:
			for key, one := range members {
				values.Set(name+"["+key+"]", formText(one))
			}
		case json.Unmarshal(value, &items) == nil && items != nil:
			for _, one := range items {
				values.Add(name, formText(one))
			}
		default:
			values.Set(name, formText(value))
		}
	}
	return values, nil
}

func formText(value json.RawMessage) string {
	var text string
	if string(value) == "null" || json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
`;
