/** Whom a ready-made token stands for. */
export interface Caller {
  /** The token's `sub`: the id of a user of the sample. */
  readonly subject: string;
  /** The token's `scope`: names divided by spaces. */
  readonly scope: string;
}

/** A customer: sees and changes only what is hers. */
export const customer: Caller = {
  subject: '01941f29-7c00-7a10-8c57-1d0b6e2f4a01',
  scope: 'users:read users:write reviews:write orders:read orders:write',
};

/** One of the staff: may do everything. */
export const admin: Caller = {
  subject: '01941f60-6a80-7b20-9d68-2e1c7f305b02',
  scope: [
    'users:read users:write users:admin products:write reviews:write reviews:admin',
    'orders:read orders:write orders:admin',
  ].join(' '),
};
