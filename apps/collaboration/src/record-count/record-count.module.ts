import { Module } from '@nestjs/common';
import { CountRecords } from './count-records';

/** Counts of records for statistics. */
@Module({ controllers: [CountRecords] })
export class RecordCountModule {}
