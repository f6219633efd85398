// How pages are found: by whole words and parts of names in any case, what has all words first.
globalThis.createSearch = (MiniSearch, entries) => {
  const STOP = new Set(
    'a an and are as at be but by can cannot could do does done for from get got have how i if in into is it its may me mean means my no not of on one or our own should so some such than that the their them then there these they this to us use used using was we what when where which who why will with would you your now all any'.split(' '),
  );
  // What is asked for by one word is called by another.
  const SYNONYMS = Object.entries({
    add: 'create', new: 'create', make: 'create', insert: 'create', register: 'create', signup: 'create', post: 'create',
    edit: 'update', modify: 'update', change: 'update', mark: 'update', patch: 'update', set: 'update',
    remove: 'delete', erase: 'delete', drop: 'delete',
    show: 'list get', fetch: 'get', read: 'get', find: 'list filter',
    unauthorized: 'unauthenticated', taken: 'exists', login: 'token', oauth: 'token scope', deep: 'depth level', cents: 'amount minor', money: 'amount price', nested: 'depth level',
  });
  const synonyms = new Map(SYNONYMS.map(([word, others]) => [word, others.split(' ')]));
  const RANK = { guide: 2.4, operation: 1.25, resource: 1.5, error: 1.2, type: 1, page: 0.8 };
  const PHRASES = [[/\bsign(?:ing)? ?up\b/gi, 'create'], [/\b(?:sign|log)(?:ging|ing)? ?in\b/gi, 'token']];

  const singular = (word) =>
    word.length > 4 && word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
  // `createProduct` is found by `product`, and by `createproduct`.
  const tokenize = (text) =>
    text
      .split(/[^\p{L}\p{N}_]+/u)
      .flatMap((word) => {
        const parts = word.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[\s_]+/);
        return parts.length > 1 ? [word.replaceAll('_', ''), ...parts] : [word];
      })
      .filter(Boolean);
  const processTerm = (term) => singular(term.toLowerCase());

  const engine = new MiniSearch({
    fields: ['title', 'words', 'text'],
    storeFields: ['title', 'kind', 'path', 'text'],
    tokenize,
    processTerm,
    searchOptions: {
      boost: { title: 3, words: 3 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.3, fuzzy: 0.2 },
      boostDocument: (_id, _term, { kind }) => RANK[kind],
    },
  });
  engine.addAll(entries);

  return (text) => {
    const plain = PHRASES.reduce((one, [phrase, word]) => one.replaceAll(phrase, word), text);
    const words = [...new Set(tokenize(plain).map(processTerm))];
    const asked = words.filter((word) => !STOP.has(word) && (word.length > 1 || /\d/.test(word)));
    const terms = asked.length > 0 ? asked : words;
    if (terms.length === 0) return [];
    const queries = terms.map((term) => ({
      combineWith: 'OR',
      queries: [term, ...(synonyms.get(term) ?? [])],
    }));
    const search = (combineWith) => engine.search({ combineWith, queries });
    const all = search('AND');
    const known = new Set(all.map(({ id }) => id));
    return [...all, ...search('OR').filter(({ id }) => !known.has(id))];
  };
};
