import type { Step } from '../../../generated/versions/v0/step.ts';

/** What a product is called was its `title` once. */
export const v0: Step = {
  schemas: {
    Product: { down: ({ name, ...rest }) => ({ ...rest, title: name }) },
    ProductInput: { up: ({ title, ...rest }) => ({ ...rest, name: title }) },
    ProductPatch: { up: ({ title, ...rest }) => ({ ...rest, ...(title !== undefined && { name: title }) }) },
  },
  queries: {
    listProducts({ 'title[contains]': title, sort, ...rest }) {
      return {
        ...rest,
        ...(title !== undefined && { 'name[contains]': title }),
        ...(sort !== undefined && { sort: sort.replace(/\btitle\b/g, 'name') }),
      };
    },
  },
  places: { '/name': '/title', 'name[contains]': 'title[contains]' },
};
