import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable, timestamp, varchar } from 'drizzle-orm/pg-core'
import pg from 'pg'

const text = (name) => varchar(name, { length: 255 })
// Drizzle leaves the text of a time as PostgreSQL writes it, so Date objects are used.
const time = (name) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const user = pgTable('user', {
  id: integer('id').primaryKey(),
  firstName: text('firstName').notNull(),
  lastName: text('lastName').notNull(),
  username: text('username').notNull(),
  email: text('email').notNull(),
  phone: text('phone').notNull(),
  extension: text('extension').notNull(),
  status: text('status').notNull(),
  department: integer('department').notNull(),
  supervisor: integer('supervisor'),
  avatarColor: text('avatarColor'),
  created: time('created').notNull(),
  lastUpdated: time('lastUpdated').notNull(),
})

export const open = (url) => ({
  database: drizzle(new pg.Pool({ connectionString: url, max: 12 })),
  user,
  now: () => new Date(),
})
