/** Users with as many fields as in the directory, and a computed full name if `COMPUTED` is set. */
import { api, choice, createdAt, email, identity, noun, resource, text, updatedAt } from '@nomen/core'
import { compute, service } from '@nomen/server'

const fields = {
  id: identity(),
  firstName: text(),
  lastName: text(),
  username: text(),
  email: email().unique(),
  phone: text(),
  extension: text(),
  status: choice('ACTIVE', 'SUSPENDED'),
  avatarColor: text().nullable(),
  created: createdAt(),
  lastUpdated: updatedAt(),
}
const plainUser = noun('user', fields)
const userWithFullName = noun('user', fields, { computed: { fullName: text() } })

const isComputed = process.env.COMPUTED === 'yes'
const userResource = isComputed
  ? resource(userWithFullName, { list: ['id', 'firstName', 'lastName', 'email', 'fullName'] })
  : resource(plainUser, { list: ['id', 'firstName', 'lastName', 'email'] })

const time = '2026-01-01T00:00:00.000Z'
const userAt = (_: unknown, index: number) => ({
  id: index + 1,
  firstName: `First ${index % 97}`,
  lastName: `Last ${index % 89}`,
  username: `user${index}`,
  email: `user${index}@example.com`,
  phone: '+1 555 1000000',
  extension: '',
  status: index % 7 ? 'ACTIVE' : 'SUSPENDED',
  avatarColor: null,
  created: time,
  lastUpdated: time,
})

export default service({
  name: 'computed',
  apis: [api('computed', { versioning: 'per-noun', writes: 'nested', resources: [userResource] })],
  ...(isComputed && {
    computed: [
      compute(
        userWithFullName,
        'fullName',
        ['firstName', 'lastName'],
        ({ firstName, lastName }) => `${firstName} ${lastName}`,
      ),
    ],
  }),
  sample: () => [{ noun: 'user', rows: Array.from({ length: Number(process.env.SAMPLE_USERS) }, userAt) }],
})
