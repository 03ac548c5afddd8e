/** The list of keyboard shortcuts. */
import { Table } from '@mantine/core'
import { text } from '../language/language.ts'
import { Dialog } from '../view/dialog/dialog.tsx'
import { withModifier } from '../view/modifier-key.ts'

export default function ShortcutDialog({ onClose }: { onClose(): void }) {
  const { view } = text()
  const shortcuts: readonly (readonly [readonly string[], string])[] = [
    [[withModifier('K')], view.keyPalette],
    [['/'], view.keySearch],
    [['f'], view.keyFilter],
    [['n'], view.keyNew],
    [['j', 'k'], view.keyRows],
    [['x'], view.keySelect],
    [['o'], view.keyPeek],
    [['e'], view.keyEdit],
    [[withModifier('S')], view.keySave],
    [[withModifier('.')], view.keyRequests],
    [['F8'], view.keyMessages],
    [['?'], view.keyHelp],
  ]
  return (
    <Dialog title={view.shortcuts} size="sm" onClose={onClose}>
      <Table>
        <Table.Tbody>
          {shortcuts.map(([keys, title]) => (
            <Table.Tr key={title}>
              <Table.Th scope="row" fw={400}>
                {title}
              </Table.Th>
              <Table.Td ta="right">
                {keys.map((key) => (
                  <kbd key={key} className="key">
                    {key}
                  </kbd>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  )
}
