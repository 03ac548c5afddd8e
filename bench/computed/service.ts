/** Users with as many fields as those of the directory, and with a full name where `COMPUTED` says so. */
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
const plain = noun('user', fields)
const named = noun('user', fields, { computed: { fullName: text() } })

const isComputed = process.env.COMPUTED === 'yes'
const shown = isComputed
  ? resource(named, { list: ['id', 'firstName', 'lastName', 'email', 'fullName'] })
  : resource(plain, { list: ['id', 'firstName', 'lastName', 'email'] })

const moment = '2026-01-01T00:00:00.000Z'
const userAt = (_: unknown, at: number) => ({
  id: at + 1,
  firstName: `First ${at % 97}`,
  lastName: `Last ${at % 89}`,
  username: `user${at}`,
  email: `user${at}@example.com`,
  phone: '+1 555 1000000',
  extension: '',
  status: at % 7 ? 'ACTIVE' : 'SUSPENDED',
  avatarColor: null,
  created: moment,
  lastUpdated: moment,
})

export default service({
  name: 'computed',
  apis: [api('computed', { versioning: 'per-noun', writes: 'nested', resources: [shown] })],
  ...(isComputed && {
    computed: [
      compute(named, 'fullName', ['firstName', 'lastName'], ({ firstName, lastName }) => `${firstName} ${lastName}`),
    ],
  }),
  sample: () => [{ noun: 'user', rows: Array.from({ length: Number(process.env.SAMPLE_USERS) }, userAt) }],
})
