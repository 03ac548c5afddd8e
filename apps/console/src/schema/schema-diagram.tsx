/** A diagram as SVG. Its boxes are links to the lists; the relations are also a list of sentences for screen readers. */
import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { text } from '../language/language.ts'
import {
  boxWidth,
  type Diagram,
  type DiagramEdge,
  type DiagramNode,
  gapX,
  headHeight,
  laneOf,
  rowHeight,
} from '../model/service/diagram.ts'
import { follow } from '../view/link.tsx'

const margin = 12
/** Relations of a noun with itself, or with one above or below it, go around the right side. */
const loop = 40

export function SchemaDiagram({ diagram }: { readonly diagram: Diagram }) {
  const { nodes, edges, width, height } = diagram
  const [active, setActive] = useState<string>()
  const isQuiet = ({ from, to }: DiagramEdge) => active !== undefined && from !== active && to !== active
  const titleOf = (noun: string) => nodes.find((node) => node.noun === noun)?.title ?? noun
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section className="schema" aria-label={text().schema.diagram} tabIndex={0}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the section has a name, and a title would be a tooltip */}
      <svg
        width={width + 2 * margin + loop}
        height={height + 2 * margin}
        viewBox={`${-margin} ${-margin} ${width + 2 * margin + loop} ${height + 2 * margin}`}
      >
        {edges.map((edge) => (
          <path
            key={`${edge.kind} ${edge.from} ${edge.to} ${edge.field}`}
            d={curveOf(edge, nodes)}
            className={`edge ${edge.kind}${isQuiet(edge) ? ' quiet' : ''}`}
          />
        ))}
        {nodes.map((node) => (
          <Box key={node.noun} node={node} onActive={setActive} />
        ))}
      </svg>
      <VisuallyHidden>
        <ul>
          {edges.map((edge) => (
            <li key={`${edge.kind} ${edge.from} ${edge.to} ${edge.field}`}>
              {text().schema.relation(edge.kind, titleOf(edge.from), titleOf(edge.to), edge.field)}
            </li>
          ))}
        </ul>
      </VisuallyHidden>
    </section>
  )
}

interface BoxProps {
  readonly node: DiagramNode
  onActive(noun: string | undefined): void
}

function Box({ node: { noun, title, path, fields, more, x, y, height }, onActive }: BoxProps) {
  const heading = (
    <text x={12} y={21} className="box-title">
      {shortened(title, 26)}
    </text>
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only highlights relations
    <g
      transform={`translate(${x} ${y})`}
      className="box"
      onMouseEnter={() => onActive(noun)}
      onMouseLeave={() => onActive(undefined)}
    >
      <rect width={boxWidth} height={height} rx={6} />
      <path d={`M0 ${headHeight}h${boxWidth}`} className="box-line" />
      {path === undefined ? (
        heading
      ) : (
        <a href={`#${path}`} onClick={follow(path)} onFocus={() => onActive(noun)} onBlur={() => onActive(undefined)}>
          {heading}
        </a>
      )}
      {fields.map((field, index) => (
        <g key={field.name} transform={`translate(12 ${headHeight + 17 + index * rowHeight})`}>
          <text className={field.reference === undefined ? 'box-field' : 'box-field reference'}>
            {shortened(field.name, 20)}
          </text>
          <text x={boxWidth - 24} textAnchor="end" className="box-kind">
            {shortened(field.reference ?? (field.kind === 'paragraph' ? 'text' : field.kind), 12)}
          </text>
        </g>
      ))}
      {more > 0 && (
        <text x={12} y={headHeight + 17 + fields.length * rowHeight} className="box-kind">
          {text().schema.more(more)}
        </text>
      )}
    </g>
  )
}

function shortened(title: string, maxLength: number): string {
  return title.length > maxLength ? `${title.slice(0, maxLength - 1)}…` : title
}

/** From the row of the field, or from the head, to the head of the other box. */
function curveOf({ from, to, field }: DiagramEdge, nodes: readonly DiagramNode[]): string {
  const [source, target] = [from, to].map((noun) => nodes.find((node) => node.noun === noun))
  if (!source || !target) return ''
  const row = source.fields.findIndex(({ name }) => name === field)
  const startY = source.y + (row < 0 ? headHeight / 2 : headHeight + 12 + row * rowHeight)
  const endY = target.y + headHeight / 2
  // A box beside or to the left is reached around the right side.
  const isRight = target.x > source.x
  const startX = source.x + boxWidth
  const endX = isRight ? target.x : target.x + boxWidth
  const lane = isRight ? laneOf(source, target, nodes, [startY, endY]) : undefined
  if (lane !== undefined) {
    const [leftX, rightX] = [startX + gapX / 2, endX - gapX / 2]
    const [first, last] = [`${leftX} ${startY} ${leftX} ${lane}`, `${rightX} ${lane} ${rightX} ${endY}`]
    return `M${startX} ${startY}C${first} ${startX + gapX} ${lane}H${endX - gapX}C${last} ${endX} ${endY}`
  }
  const bend = isRight ? Math.max(40, (endX - startX) / 2) : 44
  return `M${startX} ${startY}C${startX + bend} ${startY} ${isRight ? endX - bend : endX + bend} ${endY} ${endX} ${endY}`
}
