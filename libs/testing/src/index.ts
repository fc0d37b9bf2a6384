export { callerNamed, contextOf, groupNamed, projectNamed, uniqueId } from './contexts';
export { eventually } from './eventually';
export { type DatabaseFault, databaseFaults, FailPoint } from './faults/fail-point';
export { throughFaults } from './faults/faulty-client';
export {
  describeWithoutFaults,
  isUnderFaults,
  itUnderFaults,
  itWithoutFaults,
  meetFaults,
} from './faults/without-faults';
export { listAll } from './list-all';
export { sample, sampleInput } from './sample-input';
export { type ServiceUnderTest, startServiceUnderTest } from './service-under-test';
export { shareBetweenTests } from './share-between-tests';
export { SmallDisk } from './small-disk';
export { StubServices } from './stub-services';
export { openTestBed, type TestBed } from './test-bed';
export { ticketKey } from './ticket-key';
export { prepareReplicas, type Replica, type Replicas, startTwoReplicas, type TwoReplicas } from './two-replicas';
export { type Load, type WritesUnderLoad, writeUnderLoad } from './under-load';
export { UploadStore } from './upload-store';
