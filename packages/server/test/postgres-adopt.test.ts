// Existing tables of another program: compared, adopted, served, and still usable by that program.
import { choice, date, identity, integer, link, noun, resource, text } from '@nomen/core'
import { open } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { describe, expect, it, onTestFinished } from 'vitest'
import { adopt, department, order, shop, tables, tokenOf, user } from './adopted-shop.ts'
import { foreignDatabase } from './foreign-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

describe('existing tables', () => {
  it('cannot be searched or sorted by a collation, because other programs do not write the strings for it', async () => {
    const { url } = await foreignDatabase('create table tag (id bigint primary key, name text not null)')
    const tag = noun('tag', { id: identity(), name: text({ sort: 'de' }) })
    const tags = serviceOf([plainApi(resource(tag, { search: ['name'], offers: ['list'] }))])
    expect((await migrateDatabase(url, tags, 'adopt-plan')).obstacles).toEqual([
      '"tag": a search cannot find records that other programs write. Remove search from its resources.',
      '"tag"."name" cannot be sorted by a collation: other programs do not write sort keys. Remove sort from the field.',
    ])
  })

  it('are never adopted by a start, which says what to run', async () => {
    const { url, run } = await foreignDatabase(tables)
    await expect(open(shop, { database: url })).rejects.toThrow('nomen migrate --adopt --plan')
    const [{ count }] = await run(
      `select count(*) from pg_class where relname like '\\_%' and relnamespace = 'public'::regnamespace`,
    )
    expect(count).toBe('0')
  })

  it('are compared by a plan without changes, and adopted once', async () => {
    const { url, run } = await foreignDatabase(tables)
    const plan = await adopt(url, 'adopt-plan')
    expect(plan.obstacles).toEqual([])
    expect(plan.steps.map(({ sentence }) => sentence)).toEqual([
      'prepare the database',
      'adopt the table "departments" as "department"',
      'adopt the table "users" as "user"',
      'adopt the table "orders" as "order"',
      'adopt the table "user_departments" for the link',
      'record the schema',
    ])
    expect(plan.steps[2]?.sql[0]).toBe('alter table "users" add column "_version" integer not null default 1')
    expect(await run(`select to_regclass('"_schema"') as made`)).toEqual([{ made: null }])
    const before = await run(`select * from users order by user_id limit 5`)
    await adopt(url)
    expect(await run(`select * from users order by user_id limit 5`)).toEqual(
      before.map((row) => ({ ...row, _version: 1 })),
    )
    expect((await adopt(url)).steps).toEqual([])
    expect((await migrateDatabase(url, shop, 'plan')).steps).toEqual([])
  })

  it('are served with exact totals and versions, whichever program writes', async () => {
    const { url, run } = await foreignDatabase(tables)
    await adopt(url)
    const { send, get } = await openService(shop, { database: url })
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
    expect((await get('/user?token=none')).status).toBe(400)
    expect((await get('/user/by-email/u9@example.org')).body.id).toBe(9)
    for (const path of ['/user/3000000000', '/order/9007199254740991', '/user/3000000000/department']) {
      expect((await get(path)).status).toBe(404)
    }
    expect(await total('/user?boss=3000000000')).toBe(0)
    expect(await total('/order?lines=3000000000')).toBe(0)
    const names = (await get('/user?sort=firstName&pageSize=1000')).body.results.map(
      (result: { firstName: string }) => result.firstName,
    )
    expect(names).toEqual([...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    const states = (await get('/order?sort=-state&pageSize=1000')).body.results.map(
      (result: { state: string }) => result.state,
    )
    expect([states[0], states.at(-1)]).toEqual(['sent', 'new'])
    const far = (await get('/user?pageNumber=250&pageSize=10')).body.results.map(({ id }: { id: number }) => id)
    expect(far).toEqual(Array.from({ length: 10 }, (_, at) => 2491 + at))

    const created = await send('POST', '/user', {
      firstName: 'New',
      email: 'new@example.org',
      department: 3,
      token: tokenOf,
    })
    expect([created.status, created.body.id]).toEqual([201, 3001])
    expect(await run(`select secret, _version from users where user_id = 3001`)).toEqual([{ secret: 'x', _version: 1 }])
    await agree()
    const rejections = [
      [
        await send('POST', '/user', { firstName: 'New', email: 'new@example.org', department: 3, token: tokenOf }),
        409,
        '/email',
      ],
      [
        await send('POST', '/user', {
          firstName: 'New',
          email: 'n2@example.org',
          department: 3_000_000_000,
          token: tokenOf,
        }),
        422,
        '/department',
      ],
      [await send('PATCH', '/user/7', { boss: 3_000_000_000 }), 422, '/boss'],
      [await send('POST', '/order', { buyer: 1, lines: 2 }), 409, '/buyer'],
      [await send('POST', '/order', { buyer: 1, lines: 0 }), 422, undefined],
      [await send('PATCH', '/order/1', { lines: -1 }), 422, undefined],
    ] as const
    expect(rejections.map(([{ status, body }]) => [status, body.errors?.[0]?.pointer])).toEqual(
      rejections.map(([, status, pointer]) => [status, pointer]),
    )
    expect(rejections[4][0].body.detail).toBe('The database rejected the record: the constraint "orders_lines_check".')

    const tag = `${seventh.headers.etag}`
    await run(`update users set first_name = 'Changed', is_active = false where user_id = 7`)
    const later = await get('/user/7', { 'if-none-match': tag })
    expect([later.status, later.body.firstName]).toEqual([200, 'Changed'])
    expect((await send('PATCH', '/user/7', { firstName: 'Mine' }, { 'if-match': tag })).status).toBe(412)
    const mine = await send('PATCH', '/user/7', { firstName: 'Mine' }, { 'if-match': `${later.headers.etag}` })
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

    expect((await send('PUT', '/user/60/department/2')).status).toBe(200)
    expect(await run('select dno from user_departments where uid = 60')).toEqual([{ dno: 2 }])
    expect((await get('/user/60/department')).body.results.map(({ id }: { id: number }) => id)).toEqual([2])
    expect((await send('DELETE', '/user/3001')).status).toBe(200)
    expect((await send('DELETE', '/department/1')).status).toBe(409)
    await agree()
  })

  it('stay writable for a program without rights on the tables of Nomen', async () => {
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
    const { get } = await openService(shop, { database: url })
    expect((await get('/order')).body.pageInfo.numberOfRecords).toBe(2000)
  })

  it('are counted again if triggers missed writes', async () => {
    const { url, run } = await foreignDatabase(tables)
    await adopt(url)
    await run(`alter table orders disable trigger user; update orders set state = 'sent' where id < 100;
      delete from orders where id > 1900; alter table orders enable trigger user; alter table users disable trigger user`)
    const plan = await adopt(url, 'adopt-plan')
    expect(plan.steps.map(({ sentence }) => sentence)).toEqual([
      'recount "user", because writes have bypassed the triggers of its table',
      'recount "order", because writes have bypassed the triggers of its table',
      'record the schema',
    ])
    await adopt(url)
    expect((await adopt(url)).steps).toEqual([])
    await run(`update users set first_name = 'Late' where user_id = 1`)
    const { get } = await openService(shop, { database: url })
    const [{ count }] = await run(`select count(*)::int from orders where state = 'sent'`)
    expect((await get('/order?state=sent')).body.pageInfo.numberOfRecords).toBe(count)
    expect((await run('select _version from users where user_id = 1'))[0]._version).toBe(2)
  })

  it('are counted correctly if triggers of the other program change further rows', async () => {
    const { url, run } = await foreignDatabase(`${tables}
      create function settle() returns trigger language plpgsql as 'begin new.state := ''Paid''; return new; end';
      create trigger settle before update of lines on orders for each row execute function settle();`)
    await adopt(url)
    await run(`update orders set lines = 100 where id = 1`)
    const { get } = await openService(shop, { database: url })
    const [{ count }] = await run(`select count(*)::int from orders where state = 'Paid'`)
    expect((await get('/order?state=Paid')).body.pageInfo.numberOfRecords).toBe(count)
  })

  it('respond with 422 if undeclared constraints, keys and triggers reject a write', async () => {
    const { url } = await foreignDatabase(`${tables}
      create table invoices (no int, year int, department int references departments, primary key (no, year));
      insert into invoices values (1, 2026, 12);
      create function keep() returns trigger language plpgsql as 'begin raise exception ''orders are kept''; end';
      create trigger keep before delete on orders for each row execute function keep();
      delete from user_departments; update users set dept_no = 1;`)
    await adopt(url)
    const { send } = await openService(shop, { database: url })
    const { status, body } = await send('DELETE', '/department/12')
    expect([status, body.code, body.detail]).toEqual([
      ...[422, 'rule-broken'],
      'The database rejected the write: the foreign key "invoices_department_fkey".',
    ])
    const conflict = await send('DELETE', '/order/1')
    expect([conflict.status, conflict.body.detail]).toEqual([422, 'The database rejected the write: orders are kept.'])
    expect((await send('DELETE', '/department/11')).status).toBe(200)
  })

  it('are not recreated if a link is declared differently', async () => {
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
    await expect(migrateDatabase(url, other, 'apply')).rejects.toThrow('its table is adopted')
    expect(await run('select count(*)::int from user_departments')).toEqual([{ count: 0 }])
  })

  it('are rejected without changes if they do not match, with all reasons and fixes', async () => {
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

  it('are rejected if records have values that the declaration does not allow', async () => {
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
      'field "id" of "item": 1 record has a number below 1 or beyond 2^53, such as "0".',
      'field "size" of "item": 1 record has a number beyond 2^53, such as "9007199254740993".',
      'field "state" of "item": 1 record has a value that is not one of its choices, such as "ODD".',
      'field "at" of "item": 1 record has a date outside the years 1 to 9999, such as "infinity".',
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
    await expect(migrateDatabase(url, more, 'apply')).rejects.toThrow('nomen migrate --adopt')
    await adopt(url, 'adopt', more)
    const { get, app } = await openService(more, { database: url })
    expect((await get('/item?pageSize=1')).body).toMatchObject({
      pageInfo: { numberOfRecords: 10 },
      results: [{ id: 1, name: 'n1', extra: null }],
    })
    await app.close()
    expect(await columns()).toBe('id,name,state,extra,_version')
    const note = noun('note', { id: identity(), words: text() })
    const other = serviceOf([plainApi(resource(note))])
    await migrateDatabase(url, other, 'apply')
    expect(await columns()).toBe('id,name,state,extra')
    expect(await run('select count(*)::int from items')).toEqual([{ count: 10 }])
    await expect(open(more, { database: url })).rejects.toThrow(/"items" already exists and was not created by Nomen/)
  })
})
