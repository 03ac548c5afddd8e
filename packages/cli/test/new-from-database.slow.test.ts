// A database of another program becomes a service: read, adopted, served and checked, while the program continues to use it.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { nomen, root, serve } from './nomen.ts'

const shop = `
create type order_status as enum ('placed', 'SHIPPED', 'paid');
create domain zip as text;
create table departments (id serial primary key, name varchar(60) not null unique, "parentId" int references departments (id));
comment on table departments is 'Where people work.';
create table users (
  user_id bigint generated always as identity primary key,
  first_name varchar(40) not null default '',
  "lastName" text not null,
  email varchar(120) not null unique,
  department_id int not null references departments (id),
  manager_id bigint references users (user_id) on delete set null,
  role text not null default 'member' check (role in ('member', 'admin', 'it''s')),
  is_active boolean not null default true,
  credit numeric(10, 2) not null default 0,
  score double precision,
  born date,
  tags text[],
  address jsonb,
  zip zip,
  sort int,
  full_name text generated always as (first_name || ' ' || "lastName") stored,
  created_at timestamptz not null default now(),
  updated_at timestamp not null default now(),
  last_seen timestamp,
  token text not null default md5(random()::text),
  invited_at timestamptz default now()
);
comment on column users.credit is 'What is left, in euro.';
create table products (sku uuid primary key default gen_random_uuid(), title text not null, price numeric not null);
create table orders (
  id bigserial primary key, user_id bigint not null references users (user_id), status order_status not null default 'placed',
  placed_at timestamptz not null, note text, unique (user_id, placed_at)
);
create table order_items (
  id serial primary key, order_id bigint not null references orders (id) on delete cascade,
  quantity smallint not null default 1 check (quantity > 0), line_no int not null check (line_no >= 1 and line_no <> 13),
  unique (order_id, line_no)
);
create table roles (id smallserial primary key, code char(3) not null, label text not null);
create table user_roles (
  user_id bigint references users (user_id), role_id smallint references roles (id), since timestamptz not null default now(),
  primary key (user_id, role_id)
);
create table user_roles_before (role_id smallint references roles (id), user_id bigint references users (user_id), primary key (role_id, user_id));
create table usage (id serial primary key, body text);
create table stock (warehouse int, shelf int, amount int, primary key (warehouse, shelf));
create table countries (code text primary key, name text);
create table log_lines (at timestamptz, line text);
create table units (id int primary key, name text not null);
create table metrics (id serial primary key, value int);
create table measurements (id serial, at date not null, primary key (id, at)) partition by range (at);
create view active_users as select * from users where is_active;
create materialized view totals as select count(*) from orders;
insert into departments (name, "parentId") select 'Department ' || n, nullif(n / 3, 0) from generate_series(1, 20) n;
insert into users (first_name, "lastName", email, department_id, manager_id, role, is_active, credit, score, born, created_at, last_seen)
  select 'First' || n, (array['Müller', 'adams', 'Zimmer', 'Adams'])[n % 4 + 1], 'user' || n || '@example.org', n % 20 + 1, nullif(n / 7, 0),
    (array['member', 'admin', 'it''s'])[n % 3 + 1], n % 5 > 0, n / 4.0, n * 0.1, date '1990-01-01' + n,
    timestamptz '2026-01-01T00:00:00.123456Z' + n * interval '1 hour', case when n % 2 = 0 then timestamp '2026-05-05 10:11:12.5' end
  from generate_series(1, 1500) n;
insert into products (title, price) select 'Product ' || n, n from generate_series(1, 40) n;
insert into orders (user_id, status, placed_at, note)
  select n % 1500 + 1, (array['placed', 'SHIPPED', 'paid'])[n % 3 + 1]::order_status, timestamptz '2026-02-01' + n * interval '1 minute', null
  from generate_series(1, 3000) n;
insert into order_items (order_id, quantity, line_no) select n, n % 4 + 1, 1 from generate_series(1, 3000) n;
insert into roles (code, label) values ('ADM', 'Admin'), ('USR', 'User');
insert into user_roles (user_id, role_id) select n, n % 2 + 1 from generate_series(1, 30) n;
insert into units values (7, 'kg');
`

const readText = (...path: string[]) => readFileSync(join(...path), 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: a test knows the shape of the responses
type AnyJson = any

const password = 'hush-hush'

/** The test server accepts any password. */
function withPassword(address: string): string {
  const url = new URL(address)
  url.username ||= 'postgres'
  url.password = password
  return url.href
}

async function database() {
  const { url, remove } = await temporaryPostgres()
  const client = new pg.Client(url)
  await client.connect()
  await client.query(shop)
  onTestFinished(async () => {
    await client.end()
    await remove()
  })
  return { url, client }
}

describe('nomen new --from a database', () => {
  it('declares the tables, notes unsupported parts, and serves the database while the program uses it', {
    timeout: 120_000,
  }, async () => {
    const { url, client } = await database()
    const folder = temporaryFolder()
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
    const result = await nomen(['new', 'shop', '--from', withPassword(url)], { folder })
    expect([result.code, result.errors]).toEqual([0, ''])
    expect(result.output).toContain('npx nomen migrate --adopt --plan')
    const project = join(folder, 'shop')
    expect(readText(project, 'src/nouns.ts')).toMatchSnapshot()
    expect(readText(project, 'src/api.ts')).toMatchSnapshot()
    expect(readText(project, 'NOTES.md').replace(/created from \S+\./, 'created from ….')).toMatchSnapshot()
    for (const file of readdirSync(project, { recursive: true, withFileTypes: true })) {
      if (file.isFile()) expect(readText(file.parentPath, file.name)).not.toContain(password)
    }
    expect(readText(project, 'README.md')).toContain('npx nomen migrate --adopt')
    const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '--exactOptionalPropertyTypes', '--project', '.']
    execFileSync(process.execPath, tsc, { cwd: project })

    const options = { folder: project, environment: { DATABASE_URL: url } }
    await expect(serve([], options)).rejects.toThrow('nomen migrate --adopt --plan')
    const before = await tablesOf(client)
    const planned = await nomen(['migrate', '--adopt', '--plan'], options)
    expect([planned.code, planned.errors]).toEqual([0, ''])
    expect(planned.output).toContain('safe   adopt the table "users" as "user"')
    expect(await tablesOf(client)).toEqual(before)
    expect(await nomen(['migrate', '--adopt'], options)).toMatchObject({ code: 0, errors: '' })
    expect((await nomen(['migrate', '--plan'], options)).output).toContain('is up to date.')

    const { base } = await serve(['--access-log', '-'], options)
    const get = async (path: string) => (await (await fetch(`${base}${path}`)).json()) as AnyJson
    const total = async (path: string) => (await get(path)).pageInfo.numberOfRecords
    expect(await get('/user?role=admin&isActive=true&sort=-lastName&pageSize=2')).toMatchObject({
      results: [{ lastName: 'adams' }, { lastName: 'adams' }],
    })
    expect(await get('/user/3')).toMatchObject({
      id: 3,
      department: 4,
      credit: '0.75',
      createdAt: '2026-01-01T03:00:00.123Z',
    })
    expect([await total('/user'), await total('/order?status=paid')]).toEqual([1500, 1000])
    await client.query(
      `delete from orders where id % 4 = 0; insert into users ("lastName", email, department_id) values ('X', 'x@y.z', 1)`,
    )
    expect([await total('/user'), await total('/order'), await total('/order-item')]).toEqual([1501, 2250, 2250])
    const send = (method: string, path: string, body?: object) =>
      fetch(`${base}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const created = await send('POST', '/user', { lastName: 'New', email: 'new@y.z', department: 2 })
    const { id, token, invitedAt } = (await created.json()) as AnyJson
    expect([created.status, id]).toEqual([201, 1502])
    expect([token, invitedAt]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^20\d\d-/)])
    expect((await send('PATCH', `/user/${id}`, { firstName: 'Ada' })).status).toBe(200)
    const { rows } = await client.query('select full_name, role from users where user_id = $1', [id])
    expect(rows).toEqual([{ full_name: 'Ada New', role: 'member' }])
    expect((await send('DELETE', `/user/${id}`)).status).toBe(200)
    expect((await get('/user/5/role')).results).toEqual([expect.objectContaining({ id: 2 })])

    const checked = await nomen(['check', base, '--write', '--seed', 'x'], options)
    expect([checked.code, checked.output]).toEqual([0, expect.stringContaining(' 0 failed,')])
  })

  it('reports a database that cannot be read, without its password, and writes nothing', async () => {
    const folder = temporaryFolder()
    const address = 'postgres://ada:secret@127.0.0.1:1/shop'
    const { code, errors } = await nomen(['new', 'shop', '--from', address], { folder })
    expect([code, errors]).toEqual([1, expect.stringContaining('postgres://ada@127.0.0.1:1/shop')])
    expect(errors).not.toContain('secret')
    expect(readdirSync(folder)).toEqual([])
  })
})

async function tablesOf(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query(
    `select relname, relnatts, relhastriggers from pg_class where relnamespace = 'public'::regnamespace order by relname`,
  )
  return rows
}
