/** The smallest applications that have transactions. */
import { kafka } from '../../model.ts'
import { anyModel } from '../claim.ts'

export const model = anyModel(kafka)

/** One instance, one input, one output partition. */
export const one = { instances: 1, inputs: 1, outputPartitions: 1 }
/** The same without a group: it only sends. */
export const produce = { ...one, application: 'produce' }
