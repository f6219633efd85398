import { base, en, Faker } from '@faker-js/faker';

type Word = (faker: Faker) => string;

/** Texts by patterns of a property's name, in words; the first match counts. */
const TEXTS: readonly (readonly [name: RegExp, word: Word])[] = [
  [/\b(first|given|fore) name\b/, (faker) => faker.person.firstName()],
  [/\b(last|family) name\b|\bsurname\b/, (faker) => faker.person.lastName()],
  [/\b(user ?name|login|nick ?name|handle)\b/, (faker) => faker.internet.username()],
  [/\be ?mail\b/, (faker) => faker.internet.email()],
  [/\b(phone|mobile|telephone|fax)\b/, (faker) => faker.phone.number({ style: 'international' })],
  [/\b(company|organisation|organization|employer|brand|publisher|vendor|supplier)\b/, (faker) => faker.company.name()],
  [/\b(author|customer|owner|contact|recipient|keeper|person|full) name\b/, (faker) => faker.person.fullName()],
  [/\b(street|address|line)s?\b/, (faker) => faker.location.streetAddress()],
  [/\b(city|town)\b/, (faker) => faker.location.city()],
  [/\bcountry\b/, (faker) => faker.location.countryCode()],
  [/\b(state|region|province)\b/, (faker) => faker.location.state()],
  [/\b(post ?code|postal ?code|zip)\b/, (faker) => faker.location.zipCode()],
  [/\btime ?zone\b/, (faker) => faker.location.timeZone()],
  [/\bcurrency\b/, (faker) => faker.finance.currencyCode()],
  [/\biban\b/, (faker) => faker.finance.iban()],
  [/\bbic\b/, (faker) => faker.finance.bic()],
  [/\bisbn\b/, (faker) => faker.commerce.isbn(13).replaceAll('-', '')],
  [/\bcolou?r\b/, (faker) => faker.color.human()],
  [/\b(job|position|role|occupation)\b/, (faker) => faker.person.jobTitle()],
  [/\b(department|category|genre|tag|label|topic)s?\b/, (faker) => faker.commerce.department().toLowerCase()],
  [/\b(locale|language)\b/, (faker) => faker.helpers.arrayElement(['en', 'de', 'fr', 'ja'])],
  [/\b(user ?agent)\b/, (faker) => faker.internet.userAgent()],
  [/\bip\b/, (faker) => faker.internet.ipv4()],
  [/\b(image|photo|picture|avatar|thumbnail)\b/, (faker) => faker.image.urlPicsumPhotos()],
  [/\b(url|uri|link|website|homepage)\b/, (faker) => faker.internet.url()],
  [
    /\b(title|subject|headline|summary|caption)\b/,
    (faker) => faker.lorem.sentence({ min: 2, max: 5 }).replace(/\.$/, ''),
  ],
  [
    /\b(description|body|note|notes|comment|message|text|bio|content|reason|detail)\b/,
    (faker) => faker.lorem.sentences({ min: 1, max: 3 }),
  ],
  [/\b(password|secret)\b/, (faker) => faker.internet.password({ length: 20 })],
];

const FORMATS: Readonly<Record<string, Word>> = {
  email: (faker) => faker.internet.email(),
  uri: (faker) => faker.internet.url(),
  ipv4: (faker) => faker.internet.ipv4(),
  ipv6: (faker) => faker.internet.ipv6(),
  hostname: (faker) => faker.internet.domainName(),
};

/** The reference date for past and future dates; it is fixed, so that a seed always gives the same values. */
export const TODAY = new Date('2026-01-01T00:00:00Z');

/** Makes texts that suit a property's name and format; the same for the same seed. */
export class Words {
  readonly #faker: Faker;

  constructor(seed: number) {
    this.#faker = new Faker({ locale: [en, base], seed });
    this.#faker.setDefaultRefDate(TODAY);
  }

  /** Undefined when the name suggests nothing. `isOfPerson` makes `name` the name of a person. */
  text(name: string, format: string | undefined, isOfPerson: boolean): string | undefined {
    if (format !== undefined) return FORMATS[format]?.(this.#faker) ?? this.#moment(name, format);
    const words = wordsOf(name);
    if (words === 'name') return isOfPerson ? this.#faker.person.fullName() : this.#faker.commerce.productName();
    return TEXTS.find(([pattern]) => pattern.test(words))?.[1](this.#faker);
  }

  #moment(name: string, format: string): string | undefined {
    const words = wordsOf(name);
    const date = /\b(birth|born)\b/.test(words)
      ? this.#faker.date.birthdate()
      : /\b(due|expires?|until|end|sunset|deadline)\b/.test(words)
        ? this.#faker.date.future()
        : this.#faker.date.past({ years: 2 });
    if (format === 'date-time') return date.toISOString();
    if (format === 'date-time-local') return date.toISOString().slice(0, 19);
    return format === 'date' ? date.toISOString().slice(0, 10) : undefined;
  }
}

/** `unitPrice` is `unit price`. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();

const PEOPLE =
  /(user|customer|person|people|author|member|employee|student|patient|contact|keeper|owner|guest|driver)s?$/i;

/** Whether a schema describes people. */
export const isPerson = (schema: string, properties: readonly string[]): boolean =>
  PEOPLE.test(schema) || properties.some((name) => /^(birth|given|family)/.test(name));
