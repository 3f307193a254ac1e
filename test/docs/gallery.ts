/** The gallery of diagrams in docs/gallery: how its pictures are found and drawn, and the page that shows them. */
import { join } from 'node:path'
import { type CheckOptions, check, type Trace } from '../../checker/index.ts'
import { claims } from '../../spec/claims/index.ts'
import type { ClaimCase } from '../../spec/index.ts'
import { exporters, presentationOf, slicePresentation } from '../../traces/index.ts'
import { root } from '../project/sources.ts'
import { type Chapter, chapters, type Picture } from './gallery-pictures.ts'

export const galleryFolder = join(root, 'docs/gallery')
export const fileOf = ({ name }: Picture): string => join(galleryFolder, `${name}.svg`)

/** @throws Error if there is no such claim or case, or nothing to draw */
export async function drawn(picture: Picture): Promise<string> {
  const { model, trace } = await found(picture)
  return exporters.svg(trace, {
    ...presentationOf(model, trace),
    ...slicePresentation(model, trace),
    title: picture.title,
  })
}

interface Found {
  readonly model: ClaimCase['model']
  readonly trace: Trace
}

async function found({ claim: id, case: name, property }: Picture): Promise<Found> {
  const one = claims.find((claim) => claim.id === id)?.cases.find((candidate) => candidate.name === name)
  if (one === undefined) throw new Error(`there is no case '${name}' of ${id}`)
  const { model, preset, config, without = [] } = one
  const options: CheckOptions = { defencesOff: without, properties: [property], continueAfterViolation: true }
  const { properties } = await check(model, preset === undefined ? config : { preset, ...config }, options)
  const trace = properties[0]?.trace
  if (trace === undefined) throw new Error(`'${property}' has no trace in the case '${name}' of ${id}`)
  return { model, trace }
}

const intro = `# Gallery

Behaviours of the models, drawn from their traces: what people meet in practice, each the shortest there is. Time runs
downwards, and a message slants from where it is sent to where it arrives; at the right, the logs after some steps, with the
high watermark (HW), the last stable offset (LSO) and what each kind of reader is given. Where only some steps matter for
the outcome, they stand out and the others are faint. Each picture belongs to a case of a claim in the
[catalogue](../catalogue.md), which says under what conditions it happens, and when it does not.

\`npm run gallery\` draws them anew. To draw a trace of your own: \`npx fencepost trace export FILE --to svg --out FILE.svg\`.
`

export const pageOf = (): string => [intro, ...chapters.map(chapterText)].join('\n')

const anchor = (id: string): string => id.toLowerCase().replaceAll('.', '')

function chapterText({ title, pictures }: Chapter): string {
  const texts = pictures.map(
    (picture) =>
      `### ${picture.title}\n\nClaim [${picture.claim}](../catalogue.md#${anchor(picture.claim)}), ` +
      `case *${picture.case}*, property *${picture.property}*.\n\n![${picture.title}](${picture.name}.svg)\n`,
  )
  return [`## ${title}\n`, ...texts].join('\n')
}
