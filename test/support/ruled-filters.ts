type Node = Readonly<Record<string, unknown>>;

const uuid = { type: 'string', format: 'uuid' };
const MANAGED_TIME = { type: 'string', format: 'date-time' };
const text = { type: 'string', minLength: 1, maxLength: 80 };

/** A parameter that is named for a reference, of a list that takes no conditions. */
export const byPatient = {
  name: 'patient',
  in: 'query',
  style: 'deepObject',
  schema: { type: 'object', properties: { name: text, published: { type: 'boolean' } }, additionalProperties: false },
};

/** The parameter that takes conditions on rows of a resource. */
export const conditions = (name: string) => ({
  name: 'filter',
  in: 'query',
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}Filter` } } },
});

const closed = (properties: Node): Node => ({ type: 'object', properties, additionalProperties: false });
const to = (schema: string): Node => ({ $ref: `#/components/schemas/${schema}` });
const combined = (name: string, properties: Node): Node => ({
  [`${name}Filter`]: closed({
    and: { type: 'array', maxItems: 60, items: to(`${name}Filter`) },
    or: { type: 'array', maxItems: 60, items: to(`${name}Filter`) },
    not: to(`${name}Filter`),
    ...properties,
  }),
});
const listOf = (name: string): Node => ({
  [`${name}ListFilter`]: closed({ some: to(`${name}Filter`), none: to(`${name}Filter`) }),
});
const wards = { type: 'string', enum: ['NORTH', 'SOUTH', 'EAST'] };

/** What callers may ask of patients, and of what they are related to. */
export const FILTERS: Node = {
  TextFilter: closed({
    eq: text,
    contains: text,
    in: { type: 'array', maxItems: 10, items: text },
    isNull: { type: 'boolean' },
  }),
  TimeFilter: closed({ gte: MANAGED_TIME, lt: MANAGED_TIME }),
  IdFilter: closed({ eq: uuid, isNull: { type: 'boolean' } }),
  ...combined('Patient', {
    name: to('TextFilter'),
    ward: { ...wards },
    note: to('TextFilter'),
    createdAt: to('TimeFilter'),
    friendId: to('IdFilter'),
    clinic: to('ClinicFilter'),
    friend: to('PatientFilter'),
    friends: to('PatientListFilter'),
    appointments: to('AppointmentListFilter'),
    invoices: to('InvoiceListFilter'),
  }),
  ...combined('Clinic', {
    name: { ...text, type: ['string', 'null'] },
    members: to('MemberListFilter'),
    patients: to('PatientListFilter'),
  }),
  ...combined('Member', { userId: text }),
  ...combined('Invoice', { total: { type: 'integer', minimum: 0, maximum: 9999 } }),
  ...combined('Appointment', {
    patientId: uuid,
    doctorId: text,
    room: { type: 'array', maxItems: 10, items: text },
    patient: to('PatientFilter'),
  }),
  ...Object.assign({}, ...['Patient', 'Member', 'Appointment', 'Invoice'].map(listOf)),
};
