/** The menu of a row: quick changes by PATCH, custom operations, duplicate, unlink, delete. */
import { ActionIcon, Loader, Menu } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import type { BoundAction } from '../../action/action-buttons.tsx'
import { useInvalidate, useRecord } from '../../http/queries.ts'
import { disabledFor, useRefusal } from '../../http/use-refusal.ts'
import { text } from '../../language/language.ts'
import { labelOf } from '../../model/record/label.ts'
import { type QuickChange, quickChanges } from '../../model/record/quick-change.ts'
import { copyPath, fill, recordPath } from '../../model/route.ts'
import type { Json } from '../../model/service/openapi.ts'
import { recordActions } from '../../model/service/relation.ts'
import { type Collection, idOf } from '../../model/service/service.ts'
import { nounText } from '../../model/title.ts'
import { useConsole } from '../../state/console-context.ts'
import { router } from '../../state/router.ts'
import { useAttempt } from '../../state/use-attempt.ts'
import { ButtonMenu } from '../../view/button-menu.tsx'
import { Icon } from '../../view/icon.tsx'

interface RowMenuProps {
  readonly collection: Collection
  /** The collection that the record is written at. */
  readonly writeCollection: Collection
  /** The collection that links the record to its parent; undefined if the record is not linked. */
  readonly linkCollection: Collection | undefined
  readonly ids: readonly string[]
  readonly record: Json
  onDelete(): void
  onAct(bound: BoundAction): void
}

/** Renders only a button until it is clicked: a page has a menu for each record, and few are ever opened. */
export function RowMenu(props: RowMenuProps) {
  const [isOpened, setOpened] = useState(false)
  return isOpened ? (
    <OpenedMenu {...props} />
  ) : (
    <MenuButton collection={props.collection} record={props.record} onClick={() => setOpened(true)} />
  )
}

interface MenuButtonProps extends ComponentProps<typeof ActionIcon<'button'>> {
  readonly collection: Collection
  readonly record: Json
}

function MenuButton({ collection, record, ...others }: MenuButtonProps) {
  const label = text().list.actionsFor(nounText(collection), idOf(collection, record))
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} aria-haspopup="menu" {...others}>
      <Icon name="more" />
    </ActionIcon>
  )
}

function OpenedMenu({ collection, writeCollection, linkCollection, ids, record, onDelete, onAct }: RowMenuProps) {
  const { service, http, notify } = useConsole()
  const attempt = useAttempt()
  const invalidate = useInvalidate()
  const refusalOf = useRefusal()
  const id = idOf(collection, record)
  const path = writeCollection === collection ? [...ids, id] : [id]
  const unlink = async () => {
    if (!linkCollection) return
    const pair = linkCollection === collection ? [...ids, id] : [ids.at(-1), id]
    await attempt(async () => {
      await http.send({ base: linkCollection.api.base, method: 'DELETE', path: recordPath(linkCollection, pair) })
      await invalidate(linkCollection)
      const { unlinked, relink: title } = text().list
      notify({ text: unlinked(nounText(collection)), action: { title, run: () => relink(pair) } })
    })
  }
  const relink = (pair: readonly unknown[]) =>
    attempt(async () => {
      if (!linkCollection) return
      await http.send({ base: linkCollection.api.base, method: 'PUT', path: recordPath(linkCollection, pair) })
      await invalidate(linkCollection)
    })
  return (
    <ButtonMenu
      defaultOpened
      position="bottom-end"
      width={260}
      button={<MenuButton collection={collection} record={record} autoFocus />}
    >
      <Menu.Item onClick={() => router.go(recordPath(collection, [...ids, id]))}>{text().common.open}</Menu.Item>
      <Menu.Item onClick={() => router.openRecord(recordPath(collection, [...ids, id]))}>
        {text().list.quickView}
      </Menu.Item>
      {writeCollection.operations.update && <QuickChanges writeCollection={writeCollection} ids={path} />}
      {recordActions(collection).map(({ owner, action }) => (
        <Menu.Item
          key={`${owner.key} ${action.title}`}
          {...disabledFor(refusalOf(owner.api, action.operation))}
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
      {!linkCollection && writeCollection.operations.create && (
        <Menu.Item
          {...disabledFor(refusalOf(writeCollection.api, writeCollection.operations.create))}
          onClick={() => router.go(copyPath(collection, [...ids, id]))}
        >
          {text().list.duplicateMenu}
        </Menu.Item>
      )}
      {linkCollection?.operations.unlink && (
        <Menu.Item {...disabledFor(refusalOf(linkCollection.api, linkCollection.operations.unlink))} onClick={unlink}>
          {text().list.unlink}
        </Menu.Item>
      )}
      {!linkCollection && writeCollection.operations.delete && (
        <>
          <Menu.Divider />
          <Menu.Item
            c="var(--mantine-color-error)"
            {...disabledFor(refusalOf(writeCollection.api, writeCollection.operations.delete))}
            onClick={onDelete}
          >
            {text().common.deleteMenu}
          </Menu.Item>
        </>
      )}
    </ButtonMenu>
  )
}

/** The allowed changes depend on the current value, so the record is read when the menu opens and changed with If-Match. */
function QuickChanges({ writeCollection, ids }: { writeCollection: Collection; ids: readonly unknown[] }) {
  const { http, notify } = useConsole()
  const attempt = useAttempt()
  const refusalOf = useRefusal()
  const invalidate = useInvalidate()
  const changes = quickChanges(writeCollection)
  const query = useRecord(writeCollection, ids, { isEnabled: changes.length > 0 })
  if (changes.length === 0) return null
  if (!query.data)
    return (
      <Menu.Item disabled leftSection={<Loader size={12} />}>
        {text().common.loading}
      </Menu.Item>
    )
  const { record, etag } = query.data
  const apply = ({ field, title }: QuickChange, value: unknown) =>
    attempt(async () => {
      await http.send({
        base: writeCollection.api.base,
        method: 'PATCH',
        path: fill(`${writeCollection.path}/{}`, ids),
        body: { [field.name]: value },
        ...(etag !== undefined && { headers: { 'if-match': etag } }),
      })
      await invalidate(writeCollection)
      notify({ text: text().list.setDone(field.title, title(value)) })
    })
  return changes.flatMap((change) =>
    change.next(record[change.field.name]).map((value) => (
      <Menu.Item
        key={`${change.field.name} ${value}`}
        {...disabledFor(refusalOf(writeCollection.api, writeCollection.operations.update))}
        onClick={() => apply(change, value)}
      >
        {text().list.setValue(change.field.title, change.title(value))}
      </Menu.Item>
    )),
  )
}
