import { Module } from '@nestjs/common';
import { ReferenceController } from './reference.controller';

/** The reference of the interface. */
@Module({
  controllers: [ReferenceController],
})
export class ReferenceModule {}
