import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ErrorTrackingOperations } from './error-tracking.operations';
import { errorTrackingSchema } from './error-tracking.schema';

/** Where projects track their errors. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'ErrorTracking', schema: errorTrackingSchema }])],
  controllers: [ErrorTrackingOperations],
  exports: [MongooseModule],
})
export class ErrorTrackingModule {}
