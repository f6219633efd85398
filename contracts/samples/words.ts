export const firstNames = words(`
  Ada Alan Amina Annie Barbara Chen Clara Daniela Donald Dorothy Edsger Elena Emmy Frances Grace Hedy
  Ingrid Ivan Jean João Karen Katherine Ken Leslie Linus Margaret Mary Niklaus Olga Priya Radia Ravi
  Sofia Tim Tony Vint Yukihiro Zoë
`);

export const lastNames = words(`
  Allen Bartik Berners Cerf Clarke Dijkstra Easley Fernández Goldberg Hamilton Hoare Hopper Ito
  Johnson Kaur Knuth Lamarr Lamport Liskov Lovelace Meyer Nakamura Noether Okafor Perlman Ritchie
  Shannon Silva Sørensen Thompson Turing Vaughan Wirth Yilmaz
`);

export const cities = [
  { city: 'Berlin', country: 'DE', postalCode: '10115', street: 'Ackerstraße' },
  { city: 'Dublin', country: 'IE', postalCode: 'D02 X285', street: 'Dawson Street' },
  { city: 'Lisboa', country: 'PT', postalCode: '1200-109', street: 'Rua da Rosa' },
  { city: 'London', country: 'GB', postalCode: 'SW1Y 4JH', street: "St James's Square" },
  { city: 'New York', country: 'US', postalCode: '10003', street: 'Astor Place' },
  { city: 'Paris', country: 'FR', postalCode: '75011', street: 'Rue Oberkampf' },
  { city: 'Wien', country: 'AT', postalCode: '1070', street: 'Neubaugasse' },
] as const;

export const colours = words(`
  Amber Black Blue Coral Green Grey Ivory Ochre Red White
`);

export const materials = words(`
  bamboo cork cotton glass linen oak steel stoneware wool
`);

export const goods = [
  { noun: 'mug', tag: 'kitchen' },
  { noun: 'bowl', tag: 'kitchen' },
  { noun: 'teapot', tag: 'kitchen' },
  { noun: 'lamp', tag: 'living-room' },
  { noun: 'cushion', tag: 'living-room' },
  { noun: 'blanket', tag: 'bedroom' },
  { noun: 'towel', tag: 'bathroom' },
  { noun: 'basket', tag: 'storage' },
  { noun: 'tray', tag: 'storage' },
  { noun: 'notebook', tag: 'office' },
  { noun: 'planter', tag: 'garden' },
] as const;

export const guides = words(`
  Baking Bread Gardening Knitting Pottery Weaving Woodwork
`);

/** Titles and bodies of reviews, by stars less one. */
export const opinions = [
  { title: 'Not for me', body: 'It broke within a week.' },
  { title: 'Expected more', body: 'Smaller than in the picture.' },
  { title: 'Does its job', body: 'Nothing special, but fair for the price.' },
  { title: 'Very good', body: 'Well made. It took a while to arrive.' },
  { title: 'My new favourite', body: 'I use it every day and would buy it again.' },
] as const;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
