import { describe, expect, test } from 'vitest';
import { standardErrors } from '../../../src/descriptor/standard-errors.ts';
import { ApiError } from '../../../src/runtime/errors/api-error.ts';
import { createProblemRenderer } from '../../../src/runtime/http/problem.ts';

const place = { instance: '/v1/cats', requestId: 'id-1' };
const catalogue = {
  ...standardErrors,
  OUT_OF_STOCK: { code: 'OUT_OF_STOCK', status: 409, title: 'Out of stock', description: '', retryable: false },
};

describe('createProblemRenderer', () => {
  test('renders an error as an RFC 9457 problem', () => {
    const render = createProblemRenderer(catalogue);
    const errors = [{ pointer: '/quantity', detail: 'must be at most 2' }];
    const { status, headers, body } = render(
      new ApiError('OUT_OF_STOCK' as 'CONFLICT', { detail: 'Two are left.', errors }),
      place,
    );
    expect(status).toBe(409);
    expect(headers).toEqual({
      'content-type': 'application/problem+json',
    });
    expect(JSON.parse(body)).toEqual({
      type: '/errors/OUT_OF_STOCK',
      title: 'Out of stock',
      status: 409,
      detail: 'Two are left.',
      instance: '/v1/cats',
      code: 'OUT_OF_STOCK',
      errors,
      requestId: 'id-1',
    });
  });

  test.each(Object.values(standardErrors))('answers $code with its status', ({ code, status, title }) => {
    const { body } = createProblemRenderer({})(new ApiError(code as 'CONFLICT'), place);
    expect(JSON.parse(body)).toEqual({ type: `/errors/${code}`, title, status, code, ...place });
  });

  test('masks a code that is not in the catalogue, its detail included', () => {
    const { status, body } = createProblemRenderer({})(new ApiError('SECRET' as 'CONFLICT', { detail: 'x' }), place);
    expect(status).toBe(500);
    expect(body).not.toContain('SECRET');
    expect(JSON.parse(body)).not.toHaveProperty('detail');
  });

  test('adds the fields that a status requires, unless the error has its own', () => {
    const render = createProblemRenderer({});
    const headersOf = (code: 'UNAUTHENTICATED' | 'TOO_MANY_REQUESTS', headers?: Record<string, string>) =>
      render(new ApiError(code, headers ? { headers } : {}), place).headers;
    expect(headersOf('UNAUTHENTICATED')).toMatchObject({ 'www-authenticate': 'Bearer' });
    expect(headersOf('TOO_MANY_REQUESTS')).toMatchObject({ 'retry-after': '1' });
    expect(headersOf('TOO_MANY_REQUESTS', { 'Retry-After': '30' })).toMatchObject({ 'retry-after': '30' });
  });

  test('removes line breaks from fields', () => {
    const { headers } = createProblemRenderer({})(
      new ApiError('CONFLICT', { headers: { 'x-a': 'a\r\nb: c\u0000' } }),
      place,
    );
    expect(headers['x-a']).toBe('a  b: c ');
  });
});
