/** What can be done with one record of a list: quick changes by PATCH, what else the service offers, unlinking, deleting. */
import { ActionIcon, Loader, Menu } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import type { Doable } from '../action/action-buttons.tsx'
import { copyPath, fill, recordPath } from '../model/address.ts'
import { problemText } from '../model/advice.ts'
import { labelOf } from '../model/record/label.ts'
import { type QuickChange, quickChanges } from '../model/record/quick-change.ts'
import type { Json } from '../model/service/openapi.ts'
import { type Collection, idOf, recordActions } from '../model/service/service.ts'
import { ButtonMenu } from '../view/button-menu.tsx'
import { Icon } from '../view/icon.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useRecord, useStale } from '../wire/data.ts'
import { router } from '../wire/router.ts'

interface RowMenuProps {
  readonly collection: Collection
  readonly writer: Collection
  readonly linker: Collection | undefined
  readonly ids: readonly string[]
  readonly record: Json
  onDelete(): void
  onAct(doable: Doable): void
}

/** A button until someone uses it: a page has as many menus as records, and few are ever opened. */
export function RowMenu(props: RowMenuProps) {
  const [isUsed, setUsed] = useState(false)
  return isUsed ? (
    <UsedMenu {...props} />
  ) : (
    <MenuButton collection={props.collection} record={props.record} onClick={() => setUsed(true)} />
  )
}

interface MenuButtonProps extends ComponentProps<typeof ActionIcon<'button'>> {
  readonly collection: Collection
  readonly record: Json
}

function MenuButton({ collection, record, ...others }: MenuButtonProps) {
  const label = `Actions for ${collection.noun.replaceAll('-', ' ')} ${idOf(collection, record)}`
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} aria-haspopup="menu" {...others}>
      <Icon sign="more" />
    </ActionIcon>
  )
}

function UsedMenu({ collection, writer, linker, ids, record, onDelete, onAct }: RowMenuProps) {
  const { service, wire, say } = useConsole()
  const stale = useStale()
  const id = idOf(collection, record)
  const path = writer === collection ? [...ids, id] : [id]
  const noun = collection.noun.replaceAll('-', ' ')
  const unlink = async () => {
    if (!linker) return
    const pair = linker === collection ? [...ids, id] : [ids.at(-1), id]
    await attempt(async () => {
      await wire.send({ base: linker.api.base, method: 'DELETE', path: recordPath(linker, pair) })
      await stale(linker)
      say({ text: `The ${noun} is unlinked.`, action: { title: 'Link it again', run: () => relink(pair) } })
    })
  }
  const relink = (pair: readonly unknown[]) =>
    attempt(async () => {
      if (!linker) return
      await wire.send({ base: linker.api.base, method: 'PUT', path: recordPath(linker, pair) })
      await stale(linker)
    })
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      say({ text: problemText(error), tone: 'bad' })
    }
  }
  return (
    <ButtonMenu
      isOpenAtFirst
      position="bottom-end"
      width={220}
      button={<MenuButton collection={collection} record={record} autoFocus />}
    >
      <Menu.Item onClick={() => router.go(recordPath(collection, [...ids, id]))}>Open</Menu.Item>
      {writer.operations.update && <QuickChanges writer={writer} ids={path} attempt={attempt} />}
      {recordActions(collection).map(({ owner, action }) => (
        <Menu.Item
          key={`${owner.key} ${action.title}`}
          leftSection={<Icon sign="run" size={14} />}
          onClick={() =>
            onAct({
              api: owner.api,
              action,
              ids: owner === collection ? [...ids, id] : [id],
              subject: labelOf(service, collection, record),
            })
          }
        >
          {action.title} …
        </Menu.Item>
      ))}
      {!linker && writer.operations.create && (
        <Menu.Item
          leftSection={<Icon sign="copy" size={14} />}
          onClick={() => router.go(copyPath(collection, [...ids, id]))}
        >
          Duplicate …
        </Menu.Item>
      )}
      {linker?.operations.unlink && (
        <Menu.Item leftSection={<Icon sign="link" size={14} />} onClick={unlink}>
          Unlink
        </Menu.Item>
      )}
      {!linker && writer.operations.delete && (
        <>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<Icon sign="trash" size={14} />} onClick={onDelete}>
            Delete …
          </Menu.Item>
        </>
      )}
    </ButtonMenu>
  )
}

interface QuickChangesProps {
  readonly writer: Collection
  readonly ids: readonly unknown[]
  attempt(work: () => Promise<void>): Promise<void>
}

/** What may follow depends on what is: the record is read when the menu opens, and changed only if it is still so. */
function QuickChanges({ writer, ids, attempt }: QuickChangesProps) {
  const { wire, say } = useConsole()
  const stale = useStale()
  const changes = quickChanges(writer)
  const held = useRecord(writer, ids, changes.length > 0)
  if (changes.length === 0) return null
  if (!held.data)
    return (
      <Menu.Item disabled leftSection={<Loader size={12} />}>
        {'Looking …'}
      </Menu.Item>
    )
  const { record, etag } = held.data
  const change = ({ field, title }: QuickChange, value: unknown) =>
    attempt(async () => {
      await wire.send({
        base: writer.api.base,
        method: 'PATCH',
        path: fill(`${writer.path}/{}`, ids),
        body: { [field.name]: value },
        ...(etag !== undefined && { headers: { 'if-match': etag } }),
      })
      await stale(writer)
      say({ text: `${field.title} is now ${title(value)}.` })
    })
  return changes.flatMap((one) =>
    one.next(record[one.field.name]).map((value) => (
      <Menu.Item key={`${one.field.name} ${value}`} onClick={() => change(one, value)}>
        {one.field.title}: set {one.title(value)}
      </Menu.Item>
    )),
  )
}
