import { Module } from '@nestjs/common';
import { CountRecords } from './count-records';

/** How much there is. */
@Module({ controllers: [CountRecords] })
export class RecordCountModule {}
