// Tables that another program has made: compared, adopted, served, and still that program's own.
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
import { open, type Service } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { describe, expect, it, onTestFinished } from 'vitest'
import { foreignDatabase } from './foreign-database.ts'
import { opened, plainApi, serviceOf } from './opened.ts'

const tables = `
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

const department = noun(
  'department',
  {
    id: identity().column('dept_no'),
    name: text({ maxLength: 40 }).unique(),
    budget: decimal({ precision: 12, scale: 2 }).nullable(),
  },
  { table: 'departments', label: 'name' },
)
const user = noun(
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
const order = noun(
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
const shop: Service = serviceOf([
  plainApi(
    resource(department),
    resource(user, { by: ['email'], children: [resource(department, { via: membership })] }),
    resource(order),
  ),
])

const adopt = (url: string, mode: 'adopt' | 'adopt-plan' = 'adopt', service = shop) =>
  migrateDatabase(url, service.operations, mode)

const tokenOf = '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'

describe('tables that were there before', () => {
  it('are never taken over by a start, which says what to run', async () => {
    const { url, run } = await foreignDatabase(tables)
    await expect(open(shop, { database: url })).rejects.toThrow('nomen migrate --adopt --plan')
    const [{ count }] = await run(
      `select count(*) from pg_class where relname like '\\_%' and relnamespace = 'public'::regnamespace`,
    )
    expect(count).toBe('0')
  })

  it('are compared by a plan, which changes nothing, and adopted once', async () => {
    const { url, run } = await foreignDatabase(tables)
    const plan = await adopt(url, 'adopt-plan')
    expect(plan.obstacles).toEqual([])
    expect(plan.steps.map(({ sentence }) => sentence)).toEqual([
      'prepare the database',
      'adopt the table "departments" as "department"',
      'adopt the table "users" as "user"',
      'adopt the table "orders" as "order"',
      'adopt the table "user_departments" as pairs',
      'remember the schema',
    ])
    expect(plan.steps[2]?.sql[0]).toBe('alter table "users" add column "_version" integer not null default 1')
    expect(await run(`select to_regclass('"_schema"') as made`)).toEqual([{ made: null }])
    const before = await run(`select * from users order by user_id limit 5`)
    await adopt(url)
    expect(await run(`select * from users order by user_id limit 5`)).toEqual(
      before.map((row) => ({ ...row, _version: 1 })),
    )
    expect((await adopt(url)).steps).toEqual([])
    expect((await migrateDatabase(url, shop.operations, 'plan')).steps).toEqual([])
  })

  it('are served, with exact totals and versions whoever writes', async () => {
    const { url, run } = await foreignDatabase(tables)
    await adopt(url)
    const { ask, get } = await opened(shop, { database: url })
    const total = async (path: string) => (await get(path)).body.pageInfo.numberOfRecords
    const counted = async (from: string) => Number((await run(`select count(*) from ${from}`))[0].count)
    const agree = async () => {
      expect(await total('/user')).toBe(await counted('users'))
      expect(await total('/user?active=true')).toBe(await counted('users where is_active'))
      expect(await total('/order?state=Paid')).toBe(await counted("orders where state = 'Paid'"))
      expect(await total('/order?state=Paid&state=new')).toBe(await counted("orders where state <> 'sent'"))
    }
    await agree()
    const [{ token, changed_at: changed }] = await run('select token, changed_at from users where user_id = 7')
    const seventh = await get('/user/7')
    expect(seventh.body).toEqual({
      id: 7,
      firstName: 'zoe7',
      email: 'u7@example.org',
      department: 8,
      boss: 3,
      active: true,
      born: null,
      ratio: null,
      token,
      changed: changed.toISOString(),
      seen: '2026-01-01T12:00:00.500Z',
    })
    // Filters by what is shown find what it is shown of, also where the column is finer, smaller or of another type.
    for (const filter of [
      `changed=${changed.toISOString()}`,
      `token=${token}`,
      'email=u7@example.org',
      `token=${token}&token=${tokenOf}`,
      `changed=${changed.toISOString()}&changed=2020-01-01T00:00:00Z`,
    ]) {
      const { body } = await get(`/user?${filter}`)
      expect([filter, body.results.map(({ id }: { id: number }) => id)]).toEqual([filter, [7]])
    }
    expect(await total('/user?seen=2026-01-01T12:00:00.500Z')).toBe(3000)
    expect(await total('/user?token=none')).toBe(0)
    expect((await get('/user/by-email/u9@example.org')).body.id).toBe(9)
    for (const path of ['/user/3000000000', '/order/9007199254740991', '/user/3000000000/department']) {
      expect((await get(path)).status).toBe(404)
    }
    expect(await total('/user?boss=3000000000')).toBe(0)
    expect(await total('/order?lines=3000000000')).toBe(0)
    const names = (await get('/user?sort=firstName&pageSize=1000')).body.results.map(
      (one: { firstName: string }) => one.firstName,
    )
    expect(names).toEqual([...names].sort((one, two) => Buffer.compare(Buffer.from(one), Buffer.from(two))))
    const states = (await get('/order?sort=-state&pageSize=1000')).body.results.map(
      (one: { state: string }) => one.state,
    )
    expect([states[0], states.at(-1)]).toEqual(['sent', 'new'])
    const far = (await get('/user?pageNumber=250&pageSize=10')).body.results.map(({ id }: { id: number }) => id)
    expect(far).toEqual(Array.from({ length: 10 }, (_, at) => 2491 + at))

    const made = await ask('POST', '/user', {
      firstName: 'New',
      email: 'new@example.org',
      department: 3,
      token: tokenOf,
    })
    expect([made.status, made.body.id]).toEqual([201, 3001])
    expect(await run(`select secret, _version from users where user_id = 3001`)).toEqual([{ secret: 'x', _version: 1 }])
    await agree()
    const refusals = [
      [
        await ask('POST', '/user', { firstName: 'New', email: 'new@example.org', department: 3, token: tokenOf }),
        409,
        '/email',
      ],
      [
        await ask('POST', '/user', {
          firstName: 'New',
          email: 'n2@example.org',
          department: 3_000_000_000,
          token: tokenOf,
        }),
        422,
        '/department',
      ],
      [await ask('PATCH', '/user/7', { boss: 3_000_000_000 }), 422, '/boss'],
      [await ask('POST', '/order', { buyer: 1, lines: 2 }), 409, '/buyer'],
      [await ask('POST', '/order', { buyer: 1, lines: 0 }), 422, undefined],
      [await ask('PATCH', '/order/1', { lines: -1 }), 422, undefined],
    ] as const
    expect(refusals.map(([{ status, body }]) => [status, body.errors?.[0]?.pointer])).toEqual(
      refusals.map(([, status, pointer]) => [status, pointer]),
    )
    expect(refusals[4][0].body.detail).toBe('The database refuses the record: the constraint "orders_lines_check".')

    const tag = `${seventh.headers.etag}`
    await run(`update users set first_name = 'Changed', is_active = false where user_id = 7`)
    const later = await get('/user/7', { 'if-none-match': tag })
    expect([later.status, later.body.firstName]).toEqual([200, 'Changed'])
    expect((await ask('PATCH', '/user/7', { firstName: 'Mine' }, { 'if-match': tag })).status).toBe(412)
    const mine = await ask('PATCH', '/user/7', { firstName: 'Mine' }, { 'if-match': `${later.headers.etag}` })
    expect([mine.status, await run('select first_name, _version from users where user_id = 7')]).toEqual([
      200,
      [{ first_name: 'Mine', _version: 3 }],
    ])
    await agree()
    await run(`delete from orders where id % 5 = 0; update orders set state = 'Paid' where id % 7 = 0`)
    await run('alter table orders disable trigger user; alter table orders enable trigger user')
    await run(
      "update orders set id = id + 1000000, state = case when id % 2 = 0 then state else 'new' end where id % 11 = 1",
    )
    await run(`insert into orders (buyer, lines) select 1, n from generate_series(100, 400) n`)
    await agree()
    expect(await total('/order')).toBe(await counted('orders'))
    const last = (await get('/order?pageNumber=130&pageSize=10')).body.results.map(({ id }: { id: number }) => id)
    expect(last).toEqual(
      (await run('select id from orders order by id offset 1290 limit 10')).map(({ id }) => Number(id)),
    )
    await run('truncate orders')
    expect([await total('/order'), await total('/order?state=Paid')]).toEqual([0, 0])
    await run(`insert into orders (buyer, state, lines) values (1, 'Paid', 5)`)
    await agree()

    expect((await ask('PUT', '/user/60/department/2')).status).toBe(200)
    expect(await run('select dno from user_departments where uid = 60')).toEqual([{ dno: 2 }])
    expect((await get('/user/60/department')).body.results.map(({ id }: { id: number }) => id)).toEqual([2])
    expect((await ask('DELETE', '/user/3001')).status).toBe(200)
    expect((await ask('DELETE', '/department/1')).status).toBe(409)
    await agree()
  })

  it("stay writable for a program that has no rights on what is Nomen's own", async () => {
    const { url, run } = await foreignDatabase(tables)
    await adopt(url)
    const role = `app_${process.pid}_${Math.floor(performance.now())}`
    await run(
      `create role ${role}; grant select, insert, update, delete, truncate on orders to ${role}; grant usage on all sequences in schema public to ${role}`,
    )
    onTestFinished(async () => void (await run(`reset role; drop owned by ${role}; drop role ${role}`)))
    await run(`set role ${role}`)
    await run(
      `insert into orders (buyer, lines) values (1, 50); update orders set state = 'sent' where id = 1; delete from orders where id = 2`,
    )
    await run('reset role')
    const { get } = await opened(shop, { database: url })
    expect((await get('/order')).body.pageInfo.numberOfRecords).toBe(2000)
  })

  it('are counted anew where their triggers did not see every write', async () => {
    const { url, run } = await foreignDatabase(tables)
    await adopt(url)
    await run(`alter table orders disable trigger user; update orders set state = 'sent' where id < 100;
      delete from orders where id > 1900; alter table orders enable trigger user; alter table users disable trigger user`)
    const plan = await adopt(url, 'adopt-plan')
    expect(plan.steps.map(({ sentence }) => sentence)).toEqual([
      'count "user" anew, which was written past the triggers of its table',
      'count "order" anew, which was written past the triggers of its table',
      'remember the schema',
    ])
    await adopt(url)
    expect((await adopt(url)).steps).toEqual([])
    await run(`update users set first_name = 'Late' where user_id = 1`)
    const { get } = await opened(shop, { database: url })
    const [{ count }] = await run(`select count(*)::int from orders where state = 'sent'`)
    expect((await get('/order?state=sent')).body.pageInfo.numberOfRecords).toBe(count)
    expect((await run('select _version from users where user_id = 1'))[0]._version).toBe(2)
  })

  it('are counted right where triggers of the other program change what no statement names', async () => {
    const { url, run } = await foreignDatabase(`${tables}
      create function settle() returns trigger language plpgsql as 'begin new.state := ''Paid''; return new; end';
      create trigger settle before update of lines on orders for each row execute function settle();`)
    await adopt(url)
    await run(`update orders set lines = 100 where id = 1`)
    const { get } = await opened(shop, { database: url })
    const [{ count }] = await run(`select count(*)::int from orders where state = 'Paid'`)
    expect((await get('/order?state=Paid')).body.pageInfo.numberOfRecords).toBe(count)
  })

  it('refuse by 422 what tables, keys and triggers that nobody declared stand against', async () => {
    const { url } = await foreignDatabase(`${tables}
      create table invoices (no int, year int, department int references departments, primary key (no, year));
      insert into invoices values (1, 2026, 12);
      create function keep() returns trigger language plpgsql as 'begin raise exception ''orders are kept''; end';
      create trigger keep before delete on orders for each row execute function keep();
      delete from user_departments; update users set dept_no = 1;`)
    await adopt(url)
    const { ask } = await opened(shop, { database: url })
    const { status, body } = await ask('DELETE', '/department/12')
    expect([status, body.code, body.detail]).toEqual([
      ...[422, 'rule-broken'],
      'The database refuses this: the foreign key "invoices_department_fkey".',
    ])
    const kept = await ask('DELETE', '/order/1')
    expect([kept.status, kept.body.detail]).toEqual([422, 'The database refuses this: orders are kept.'])
    expect((await ask('DELETE', '/department/11')).status).toBe(200)
  })

  it('are not made anew where a link is declared otherwise', async () => {
    const { url, run } = await foreignDatabase(tables)
    await adopt(url)
    await run('delete from user_departments')
    const swapped = link(user, department, { table: 'user_departments', columns: ['dno', 'uid'] })
    const other = serviceOf([
      plainApi(
        resource(department),
        resource(user, { children: [resource(department, { via: swapped })] }),
        resource(order),
      ),
    ])
    await expect(migrateDatabase(url, other.operations, 'apply')).rejects.toThrow("its table is another program's")
    expect(await run('select count(*)::int from user_departments')).toEqual([{ count: 0 }])
  })

  it('are refused with every reason and remedy where they do not fit, and nothing is changed', async () => {
    const { url, run } = await foreignDatabase(`
      create table departments (dept_no int primary key, name varchar(20) not null, budget numeric, "_version" int);
      create table users (
        user_id bigserial, first_name char(10) not null, email varchar(120), dept_no int not null, boss_id int,
        is_active smallint not null, born date not null, token uuid not null, changed_at timestamp(0) not null, seenat timestamp, code text not null,
        primary key (user_id, dept_no));
      create view orders as select 1 as id;
      create table user_departments (uid int, dno int);
    `)
    const { obstacles } = await adopt(url, 'adopt-plan')
    expect(obstacles).toMatchSnapshot()
    await expect(adopt(url)).rejects.toThrow('Nothing was changed.')
    expect(await run(`select to_regclass('"_schema"') as made`)).toEqual([{ made: null }])
  })

  it('are refused where records hold what their declaration does not', async () => {
    const { url } = await foreignDatabase(`
      create table items (id serial primary key, size bigint not null, state text not null, at date not null);
      insert into items values (0, 9007199254740993, 'ODD', 'infinity'), (2, 1, 'EVEN', '2026-01-01');
    `)
    const item = noun(
      'item',
      { id: identity(), size: integer(), state: choice('EVEN'), at: date() },
      { table: 'items' },
    )
    const { obstacles } = await adopt(url, 'adopt-plan', serviceOf([plainApi(resource(item))]))
    expect(obstacles).toEqual([
      'field "id" of "item": 1 record holds a number below 1 or beyond 2^53, such as "0".',
      'field "size" of "item": 1 record holds a number beyond 2^53, such as "9007199254740993".',
      'field "state" of "item": 1 record holds none of its choices, such as "ODD".',
      'field "at" of "item": 1 record holds a day outside of the years 1 to 9999, such as "infinity".',
    ])
  })

  it('keep their form when the declaration changes, and are compared again', async () => {
    const { url, run } = await foreignDatabase(`
      create table items (id serial primary key, name text not null, state text not null default 'A', extra text);
      insert into items (name) select 'n' || n from generate_series(1, 10) n`)
    const of = (fields: Parameters<typeof noun>[1]) =>
      serviceOf([plainApi(resource(noun('item', { id: identity(), ...fields }, { table: 'items' })))])
    const first = of({ name: text(), state: choice('A', 'B').default('A') })
    await adopt(url, 'adopt', first)
    const columns = async () => (await run('select * from items limit 1').then(([row]) => Object.keys(row))).join()
    const more = of({ name: text(), extra: text().nullable() })
    await expect(open(more, { database: url })).rejects.toThrow('nomen migrate --adopt')
    await expect(migrateDatabase(url, more.operations, 'apply')).rejects.toThrow('nomen migrate --adopt')
    await adopt(url, 'adopt', more)
    const { get, app } = await opened(more, { database: url })
    expect((await get('/item?pageSize=1')).body).toMatchObject({
      pageInfo: { numberOfRecords: 10 },
      results: [{ id: 1, name: 'n1', extra: null }],
    })
    await app.close()
    expect(await columns()).toBe('id,name,state,extra,_version')
    const note = noun('note', { id: identity(), words: text() })
    const other = serviceOf([plainApi(resource(note))])
    await expect(open(other, { database: url })).rejects.toThrow('let go of the table "items"')
    await migrateDatabase(url, other.operations, 'apply')
    expect(await columns()).toBe('id,name,state,extra')
    expect(await run('select count(*)::int from items')).toEqual([{ count: 10 }])
    await expect(open(more, { database: url })).rejects.toThrow(/"items" is there already, and none of Nomen's/)
  })
})
