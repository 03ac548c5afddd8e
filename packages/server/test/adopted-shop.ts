/** Tables that another program made, the nouns that fit them, and the service that adopts them. */
import {
  boolean,
  choice,
  date,
  decimal,
  guid,
  identity,
  integer,
  link,
  noun,
  number,
  reference,
  resource,
  text,
  timestamp,
  updatedAt,
} from '@nomen/core'
import type { Service } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { plainApi, serviceOf } from './test-service.ts'

export const tables = `
create type order_state as enum ('new', 'sent', 'Paid');
create table departments (dept_no serial primary key, name varchar(40) not null unique, budget numeric(12, 2));
create table users (
  user_id int generated always as identity primary key,
  first_name text not null,
  email varchar(120) not null,
  dept_no int not null references departments,
  boss_id int references users on delete set null,
  is_active boolean not null default true,
  born date,
  ratio double precision,
  token uuid not null default gen_random_uuid(),
  secret text not null default 'x',
  changed_at timestamptz not null default now(),
  seen_at timestamp
);
create unique index users_by_email on users (email);
create table orders (
  id bigserial primary key, buyer int not null references users (user_id), state order_state not null default 'new',
  lines smallint not null check (lines > 0), unique (buyer, lines)
);
create table user_departments (uid int references users, dno int references departments, primary key (uid, dno));
insert into departments (name, budget) select 'Department ' || n, n * 1.5 from generate_series(1, 12) n;
insert into users (first_name, email, dept_no, boss_id, is_active, changed_at, seen_at)
  select (array['Ada', 'ada', 'Zoë', 'zoe'])[n % 4 + 1] || n, 'u' || n || '@example.org', n % 12 + 1, nullif(n / 2, 0), n % 3 > 0,
    '2026-01-01T00:00:00.123456Z'::timestamptz + n * interval '1 minute', '2026-01-01 12:00:00.5'
  from generate_series(1, 3000) n;
insert into orders (buyer, state, lines)
  select n, (array['new', 'sent', 'Paid'])[n % 3 + 1]::order_state, n % 7 + 1 from generate_series(1, 2000) n;
insert into user_departments select n, n % 12 + 1 from generate_series(1, 50) n;
`

export const department = noun(
  'department',
  {
    id: identity().column('dept_no'),
    name: text({ maxLength: 40 }).unique(),
    budget: decimal({ precision: 12, scale: 2 }).nullable(),
  },
  { table: 'departments', label: 'name' },
)
export const user = noun(
  'user',
  {
    id: identity().column('user_id'),
    firstName: text().column('first_name'),
    email: text({ maxLength: 120 }).unique(),
    department: reference(() => department).column('dept_no'),
    boss: reference(() => user)
      .nullable()
      .clearedOnDelete()
      .column('boss_id'),
    active: boolean().default(true).column('is_active'),
    born: date().nullable(),
    ratio: number().nullable(),
    token: guid(),
    changed: updatedAt().column('changed_at'),
    seen: timestamp().nullable().column('seen_at'),
  },
  { table: 'users' },
)
export const order = noun(
  'order',
  {
    id: identity(),
    buyer: reference(() => user),
    state: choice('new', 'sent', 'Paid').default('new'),
    lines: integer({ min: -32_768, max: 32_767 }),
  },
  { table: 'orders', unique: [['buyer', 'lines']] },
)
const membership = link(user, department, { table: 'user_departments', columns: ['uid', 'dno'] })
export const shop: Service = serviceOf([
  plainApi(
    resource(department),
    resource(user, { by: ['email'], children: [resource(department, { via: membership })] }),
    resource(order),
  ),
])

export const adopt = (url: string, mode: 'adopt' | 'adopt-plan' = 'adopt', service = shop) =>
  migrateDatabase(url, service, mode)

export const tokenOf = '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'
