import type { Step } from '../../../generated/versions/v0/step.ts';

/** In `v0`, the name of a product was its `title`. */
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
