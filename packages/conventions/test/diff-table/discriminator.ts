/** Changes of discriminators: all rows add one, or change the one that the base document gets by a further edit. */
import { put, type Row, read, row } from './row.ts'

const mapping = { phone: '#/components/schemas/Phone', mail: '#/components/schemas/Mail' }
const discriminator = { propertyName: 'kind', mapping }

/** The alternatives of a contact, with a discriminator. */
export const withDiscriminator = {
  [`${read}/contact/discriminator`]: discriminator,
  [`${put}/contact/discriminator`]: discriminator,
}

export const addedDiscriminatorRows: readonly Row[] = [
  row(
    'a discriminator of an answer',
    { [`${read}/contact/discriminator`]: discriminator },
    'compatible response-field-tightened',
    'breaking response-field-retyped',
  ),
  row(
    'a discriminator of a request',
    { [`${put}/contact/discriminator`]: discriminator },
    'breaking request-field-tightened',
    'compatible request-field-loosened',
  ),
]

/** The edits apply to the base document with discriminators. */
export const discriminatorRows: readonly Row[] = [
  row(
    'the property of a discriminator of an answer',
    { [`${read}/contact/discriminator/propertyName`]: 'type' },
    'breaking response-field-retyped',
    'breaking response-field-retyped',
  ),
  row(
    'the property of a discriminator of a request',
    { [`${put}/contact/discriminator/propertyName`]: 'type' },
    'breaking request-field-retyped',
    'breaking request-field-retyped',
  ),
  row(
    'a value of a discriminator of an answer',
    { [`${read}/contact/discriminator/mapping/mail`]: undefined },
    'compatible response-enum-value-removed',
    'breaking response-enum-value-added',
  ),
  row(
    'a value of a discriminator of a request',
    { [`${put}/contact/discriminator/mapping/mail`]: undefined },
    'breaking request-enum-value-removed',
    'compatible request-enum-value-added',
  ),
  row(
    'another alternative for a value in an answer',
    { [`${read}/contact/discriminator/mapping/mail`]: '#/components/schemas/Phone' },
    'breaking response-field-retyped',
    'breaking response-field-retyped',
  ),
  row(
    'another alternative for a value in a request',
    { [`${put}/contact/discriminator/mapping/mail`]: '#/components/schemas/Fax' },
    'breaking request-field-retyped',
    'breaking request-field-retyped',
  ),
  row(
    'an alternative whose value is the name of its component',
    { [`${read}/contact/discriminator/mapping/Mail`]: '#/components/schemas/Mail' },
    [],
    [],
  ),
  row('an alternative by its short name', { [`${read}/contact/discriminator/mapping/mail`]: 'Mail' }, [], []),
]
