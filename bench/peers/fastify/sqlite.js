import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const user = sqliteTable('user', {
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
  created: text('created').notNull(),
  lastUpdated: text('lastUpdated').notNull(),
})

export const open = (file) => ({ database: drizzle(new Database(file)), user, now: () => new Date().toISOString() })
