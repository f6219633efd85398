const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });
const list = (items: object) => ({ type: 'array', items });
const nil = { type: 'null' };

export const SCHEMAS = {
  Cat: object({ kind: { const: 'cat' }, lives: integer }, ['kind', 'lives']),
  Dog: object({ kind: { enum: ['dog', 'hound'] }, tricks: text }, ['kind', 'tricks']),
  Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
  Point: object({ x: text, y: text }),
  Kind: { type: 'string', enum: ['a', 'b'] },
  Secret: object(
    {
      id: { type: 'integer', readOnly: true },
      password: { type: 'string', writeOnly: true },
      deep: list(ref('Secret')),
      tuple: { type: 'array', prefixItems: [ref('Secret')], items: false, minItems: 1 },
    },
    ['id', 'password'],
  ),
  Json: { oneOf: [text, list(ref('Json'))] },
  Deep: { anyOf: [integer, list(list(ref('Deep')))] },
  Even: { oneOf: [text, list(ref('Odd'))] },
  Odd: { oneOf: [integer, list(ref('Even'))] },
  Rope: { type: 'array', items: ref('Rope') },
  Pairs: { type: 'array', prefixItems: [text, { oneOf: [nil, ref('Pairs')] }], items: false },
  Dictionary: { anyOf: [text, { type: 'object', additionalProperties: ref('Dictionary') }] },
  Tree: object({ name: text, leaves: list(ref('Tree')) }, ['name']),
  Any: {
    anyOf: [text, { type: 'number' }, nil, list(ref('Any')), { type: 'object', additionalProperties: ref('Any') }],
  },
  Round: object({ shape: text, radius: integer }, ['shape', 'radius']),
  Square: object({ shape: text, side: integer }, ['shape', 'side']),
  Shape: {
    oneOf: [ref('Round'), ref('Square')],
    discriminator: { propertyName: 'shape', mapping: { o: ref('Round').$ref, '[]': ref('Square').$ref } },
  },
  Device: {
    ...object({ type: text, name: text }, ['type']),
    discriminator: { propertyName: 'type', mapping: { cam: ref('Camera').$ref, mic: ref('Microphone').$ref } },
  },
  Camera: { allOf: [ref('Device'), object({ pixels: integer }, ['pixels'])] },
  Microphone: { allOf: [ref('Device'), object({ gain: integer })] },
};

type Values = readonly unknown[];

/**
 * Schemas, with values that the server accepts and values that it refuses; both hold for the type. `wider` are values that the
 * server refuses and TypeScript cannot.
 */
export const CASES: Readonly<
  Record<string, readonly [schema: object | boolean, valid: Values, invalid: Values, wider?: Values]>
> = {
  // Scalars and values.
  string: [text, ['a'], [1, null]],
  number: [{ type: 'number' }, [1.5], ['1']],
  boolean: [{ type: 'boolean' }, [true], ['x']],
  typeList: [{ type: ['string', 'integer'] }, ['a', 1], [true, null]],
  nullable: [{ type: ['string', 'null'] }, ['a', null], [1]],
  null: [nil, [null], ['a', 0]],
  anything: [{}, [1, 'a', null, []], []],
  constant: [{ const: 'a' }, ['a'], ['b', null]],
  constantNumber: [{ const: 1 }, [1], [2, '1']],
  constantFalse: [{ const: false }, [false], [true]],
  constantNull: [{ const: null }, [null], ['a', 0]],
  constantObject: [{ const: { a: 1 } }, [{ a: 1 }], [{ a: 2 }, 'a']],
  constantList: [{ const: [1, 'a'] }, [[1, 'a']], ['a', [2, 'a']]],
  nullExcluded: [{ type: ['string', 'null'], enum: ['a', 'b'] }, ['a'], [null, 'c']],
  nullListed: [{ type: ['string', 'null'], enum: ['a', null] }, ['a', null], ['b']],
  onlyNullListed: [{ enum: [null] }, [null], ['a']],
  typesOfEnum: [{ type: ['string', 'integer', 'null'], enum: ['a', 1] }, ['a', 1], [null, 2]],
  enumBeyondType: [{ type: 'string', enum: ['a', 1] }, ['a'], [1]],
  enumOfMany: [{ enum: ['a', 1, true, null] }, ['a', 1, true, null], ['b', false]],
  enumOfObjects: [{ type: 'object', enum: [{ a: 1 }, { a: 2 }] }, [{ a: 1 }, { a: 2 }], [{ a: 3 }]],
  enumOfLists: [{ enum: [[1], 'all'] }, [[1], 'all'], [[2], 'a']],
  pattern: [{ type: 'string', pattern: '^a' }, ['a'], [1], ['b']],
  // References and what stands beside them.
  requiredBeside: [{ ...ref('Point'), required: ['x'] }, [{ x: '1' }, { x: '1', y: '2' }], [{ y: '2' }, {}]],
  propertiesBeside: [
    { ...ref('Point'), type: 'object', properties: { z: integer }, required: ['z'] },
    [{ z: 1 }, { x: '1', z: 1 }],
    [{ x: '1' }, { z: 'text' }],
  ],
  enumBeside: [{ ...ref('Kind'), enum: ['a'] }, ['a'], ['b', 'c']],
  constantBeside: [{ ...ref('Kind'), const: 'b' }, ['b'], ['a']],
  anyOfBeside: [{ ...ref('Point'), anyOf: [{ required: ['x'] }, { required: ['y'] }] }, [{ x: '1' }, { y: '1' }], [{}]],
  // Objects.
  object: [{ type: 'object' }, [{}, { a: 1 }], ['a', null]],
  properties: [object({ a: text, b: integer }, ['a']), [{ a: 'x' }, { a: 'x', b: 1 }], [{ b: 1 }, { a: 1 }]],
  noProperty: [{ ...object({ a: text, b: false }), additionalProperties: false }, [{ a: 'x' }], [{ b: 1 }]],
  closed: [{ ...object({ a: text }), additionalProperties: false }, [{ a: 'x' }, {}], [{ b: 1 }]],
  open: [{ ...object({ a: text }), additionalProperties: true }, [{ a: 'x', b: 1 }], [{ a: 1 }]],
  map: [{ type: 'object', additionalProperties: integer }, [{}, { a: 1 }], [{ a: 'x' }]],
  mapOfNullable: [{ type: 'object', additionalProperties: { type: ['integer', 'null'] } }, [{ a: null }], [{ a: 'x' }]],
  mapBeside: [
    { ...object({ a: text }, ['a']), additionalProperties: integer },
    [{ a: 'x', b: 1 }],
    [{ b: 1 }, { a: 1 }],
  ],
  mapBesideOptional: [{ ...object({ a: text }), additionalProperties: integer }, [{ b: 1 }, { a: 'x' }], [{ b: true }]],
  mapBesideObject: [
    { ...object({ a: object({ c: text }) }), additionalProperties: integer },
    [{ a: { c: 'x' }, b: 1 }],
    [{ b: 'x' }, { a: 1 }],
  ],
  mapBesideReference: [
    { ...object({ a: ref('Point') }), additionalProperties: list(text) },
    [{ a: {}, b: ['x'] }],
    [{ b: [1] }],
  ],
  mapRequired: [
    { type: 'object', additionalProperties: integer, required: ['total'] },
    [{ total: 1 }, { total: 1, a: 2 }],
    [{ a: 1 }, { total: 'x' }],
  ],
  patterns: [
    { type: 'object', patternProperties: { '^x-': text } },
    [{ 'x-a': 'x' }, {}],
    ['a', { 'x-a': 1 }],
    [{ b: 'x' }],
  ],
  patternsClosed: [
    { type: 'object', patternProperties: { '^x-': text }, additionalProperties: false },
    [{ 'x-a': 'x' }, {}],
    [{ 'x-a': 1 }],
    [{ b: 'x' }],
  ],
  patternsBeside: [
    { ...object({ a: integer }, ['a']), patternProperties: { '^x-': text }, additionalProperties: false },
    [{ a: 1, 'x-a': 'x' }],
    [{ a: 'x' }, { a: 1, 'x-a': true }],
  ],
  patternsAndMap: [
    { type: 'object', patternProperties: { '^x-': text }, additionalProperties: integer },
    [{ 'x-a': 'x', b: 1 }],
    [{ b: true }],
  ],
  patternsOpen: [
    { ...object({ a: integer }), patternProperties: { '^x-': text }, additionalProperties: true },
    [{ a: 1, 'x-a': 'x', c: true }],
    [{ a: 'x' }],
  ],
  names: [
    { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: integer },
    [{}, { a: 1 }, { a: 1, b: 2 }],
    [{ c: 1 }, { a: 'x' }],
  ],
  namesReferred: [
    { type: 'object', propertyNames: ref('Kind'), additionalProperties: integer },
    [{ a: 1 }],
    [{ c: 1 }, { b: 'x' }],
  ],
  requiredBeyond: [
    { ...object({ a: text }, ['b']), additionalProperties: false },
    [{ b: 1 }, { a: 'x', b: null }],
    [{ a: 'x' }],
  ],
  requiredUndeclared: [{ type: 'object', required: ['a'] }, [{ a: 1 }], [{}]],
  unevaluated: [
    { ...object({ a: text }), unevaluatedProperties: integer },
    [{ a: 'x', b: 1 }],
    [{ b: true }],
    [{ b: 'x' }],
  ],
  unevaluatedClosed: [{ ...object({ a: text }), unevaluatedProperties: false }, [{ a: 'x' }], [{ b: 'x' }]],
  nullableObject: [{ ...object({ a: text }, ['a']), type: ['object', 'null'] }, [null, { a: 'x' }], [{}, 'a']],
  objectOrText: [{ ...object({ a: text }, ['a']), type: ['object', 'string'] }, ['a', { a: 'x' }], [{}, null]],
  // Arrays.
  array: [{ type: 'array' }, [[], [1, 'a']], ['a', null]],
  items: [list(text), [[], ['a']], [[1], 'a']],
  nested: [list(list(integer)), [[], [[1]], [[]]], [[1], [['a']]]],
  itemsOfUnion: [list({ oneOf: [list(text), integer] }), [[1, ['a']]], [['a']]],
  itemsInOne: [list({ oneOf: [list(text)] }), [[['a']]], [['a']]],
  noItems: [{ type: 'array', items: false }, [[]], [[1]]],
  tuple: [
    { type: 'array', prefixItems: [text, integer], items: false, minItems: 2 },
    [['a', 1]],
    [['a'], ['a', 'b'], ['a', 1, 2]],
  ],
  tupleShorter: [
    { type: 'array', prefixItems: [text, integer], items: false },
    [[], ['a'], ['a', 1]],
    [[1], ['a', 'b'], ['a', 1, 2]],
  ],
  tupleHalf: [{ type: 'array', prefixItems: [text, integer], items: false, minItems: 1 }, [['a'], ['a', 1]], [[]]],
  tupleOpen: [{ type: 'array', prefixItems: [text], minItems: 1 }, [['a'], ['a', 1, null]], [[], [1]]],
  tupleAndItems: [
    { type: 'array', prefixItems: [text], items: integer, minItems: 1 },
    [['a'], ['a', 1, 2]],
    [['a', 'b'], []],
  ],
  tupleAtMost: [{ type: 'array', prefixItems: [text, integer], maxItems: 2, minItems: 2 }, [['a', 1]], [['a', 1, 2]]],
  tuples: [
    list({ type: 'array', prefixItems: [text, integer], items: false, minItems: 2 }),
    [[], [['a', 1]]],
    [['a', 1]],
  ],
  tupleOfObjects: [
    { type: 'array', prefixItems: [ref('Point'), ref('Kind')], items: false, minItems: 2 },
    [[{ x: '1' }, 'a']],
    [
      [{ x: 1 }, 'a'],
      [{}, 'c'],
    ],
  ],
  nullableTuple: [
    { type: ['array', 'null'], prefixItems: [text], items: false, minItems: 1 },
    [null, ['a']],
    [[], [1]],
  ],
  atLeastOne: [{ ...list(text), minItems: 1 }, [['a']], [[1]], [[]]],
  // Compositions.
  anyOf: [{ anyOf: [text, integer] }, ['a', 1], [true]],
  anyOfNull: [{ anyOf: [ref('Point'), nil] }, [{ x: '1' }, null], ['a', { x: 1 }]],
  oneOfConstants: [{ oneOf: [{ const: 'a' }, { const: 'b', title: 'B' }] }, ['a', 'b'], ['c']],
  oneOfBesideText: [{ type: 'string', oneOf: [{ const: 'a' }, { const: 'b' }] }, ['a', 'b'], ['c']],
  anyOfBesideText: [{ type: 'string', anyOf: [{ enum: ['a'] }, { enum: ['b'] }] }, ['a', 'b'], ['c']],
  anyOfFormats: [{ type: 'string', anyOf: [{ minLength: 3 }, { maxLength: 1 }] }, ['abc', 'a'], [1], ['ab']],
  anyOfBesideProperties: [
    { ...object({ a: text }, ['a']), anyOf: [object({ b: integer }, ['b']), object({ c: text }, ['c'])] },
    [
      { a: 'x', b: 1 },
      { a: 'x', c: 'y' },
    ],
    [{ a: 'x' }, { b: 1 }, { a: 1, b: 1 }],
  ],
  oneOfBesideProperties: [
    { ...object({ a: text }, ['a']), oneOf: [object({ b: integer }, ['b']), object({ c: text }, ['c'])] },
    [
      { a: 'x', b: 1 },
      { a: 'x', c: 'y' },
    ],
    [{ a: 'x' }, { c: 'y' }],
  ],
  oneIsRequired: [
    { ...object({ a: text, b: text }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    [{ a: 'x' }, { b: 'x' }, { a: 'x', b: 'y' }],
    [{}, { a: 1 }],
  ],
  oneIsRequiredOrNull: [
    { ...object({ a: text, b: text }), type: ['object', 'null'], anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    [{ a: 'x' }, null],
    [{}, 'a'],
  ],
  typeBesideAnyOf: [
    { type: 'object', anyOf: [object({ a: text }, ['a']), object({ b: text }, ['b'])] },
    [{ a: 'x' }, { b: 'x' }],
    [{}, 'a'],
  ],
  anyOfAndOneOf: [
    {
      anyOf: [object({ a: text }, ['a']), object({ b: text }, ['b'])],
      oneOf: [object({ c: text }, ['c']), object({ d: text }, ['d'])],
    },
    [
      { a: 'x', c: 'y' },
      { b: 'x', d: 'y' },
    ],
    [{ a: 'x' }, { c: 'x' }],
  ],
  allOf: [{ allOf: [ref('Point'), object({ z: text }, ['z'])] }, [{ x: '1', z: '2' }], [{ x: '1' }, { z: 1 }]],
  allOfAndRequired: [
    { allOf: [object({ a: text }), object({ b: text })], required: ['a', 'b'] },
    [{ a: 'x', b: 'y' }],
    [{ a: 'x' }, { b: 'y' }],
  ],
  allOfOfAllOf: [
    { allOf: [ref('Camera')], required: ['name'] },
    [{ type: 'cam', name: 'x', pixels: 1 }],
    [{ type: 'cam', pixels: 1 }],
  ],
  allOfAndAnyOf: [
    { allOf: [ref('Point')], anyOf: [object({ b: text }, ['b']), object({ c: text }, ['c'])] },
    [{ x: '1', b: 'x' }, { c: 'x' }],
    [{ x: '1' }, { x: 1, b: 'x' }],
  ],
  allOfNarrows: [{ allOf: [ref('Kind'), { enum: ['a'] }] }, ['a'], ['b']],
  allOfNullable: [
    { type: ['object', 'null'], allOf: [{ ...object({ a: text }, ['a']), type: ['object', 'null'] }] },
    [null, { a: 'x' }],
    [{}, 'a'],
  ],
  allOfIsNotNull: [{ type: ['object', 'null'], properties: { b: text }, allOf: [ref('Point')] }, [{ b: 'x' }], [null]],
  // Discriminators.
  discriminator: [
    ref('Pet'),
    [
      { kind: 'cat', lives: 9 },
      { kind: 'dog', tricks: 'sit' },
      { kind: 'hound', tricks: 'run' },
    ],
    [
      { kind: 'Cat', lives: 9 },
      { kind: 'cat', tricks: 'sit' },
      { kind: 'dog', lives: 9 },
    ],
  ],
  mapping: [
    ref('Shape'),
    [
      { shape: 'o', radius: 1 },
      { shape: '[]', side: 1 },
    ],
    [{ shape: 'o', side: 1 }, { shape: 'Round', radius: 1 }, { radius: 1 }],
  ],
  oneShape: [ref('Round'), [{ shape: 'any', radius: 1 }], [{ shape: 'any' }]],
  listOfShapes: [list(ref('Shape')), [[{ shape: 'o', radius: 1 }]], [[{ shape: '[]', radius: 1 }]]],
  shapeOrNull: [
    { oneOf: [ref('Round'), ref('Square'), nil], discriminator: { propertyName: 'shape' } },
    [null, { shape: 'Round', radius: 1 }],
    [{ shape: 'Square', radius: 1 }],
  ],
  inheritance: [
    ref('Device'),
    [{ type: 'cam', pixels: 1, name: 'x' }, { type: 'mic', gain: 2 }, { type: 'mic' }, { type: 'other', name: 'x' }],
    [{ name: 'x' }, { type: 1 }, { type: 'mic', gain: 'x' }],
    [{ type: 'cam' }],
  ],
  child: [ref('Camera'), [{ type: 'cam', pixels: 1 }], [{ type: 'cam' }, { pixels: 1 }]],
  // Circles.
  json: [ref('Json'), ['a', [], ['a', ['b', []]]], [1, [1], ['a', [1]]]],
  deep: [ref('Deep'), [1, [[1, [[2]]]]], ['a', [1], [['a']]]],
  evenAndOdd: [ref('Even'), ['a', [1, ['a', [1]]]], [1, ['a'], [[1]]]],
  rope: [ref('Rope'), [[], [[], [[]]]], ['a', [1]]],
  pairs: [ref('Pairs'), [[], ['a', null], ['a', ['b', null]]], [[1], ['a', [1]]], [['a', 'b']]],
  dictionary: [ref('Dictionary'), ['a', { a: 'x', b: { c: 'y' } }], [1, { a: 1 }]],
  tree: [ref('Tree'), [{ name: 'a', leaves: [{ name: 'b' }] }], [{ name: 'a', leaves: [{}] }]],
  anyJson: [ref('Any'), [null, 1, 'a', [1, { a: [null] }]], [true, [true], { a: [true] }]],
  jsonOrNull: [{ anyOf: [ref('Json'), nil] }, [null, ['a']], [[null]]],
};
