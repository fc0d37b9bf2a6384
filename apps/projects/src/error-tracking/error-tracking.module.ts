import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ErrorTrackingOperations } from './error-tracking.operations';
import { errorTrackingSchema } from './error-tracking.schema';

/** Error tracking settings of projects. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'ErrorTracking', schema: errorTrackingSchema }])],
  controllers: [ErrorTrackingOperations],
  exports: [MongooseModule],
})
export class ErrorTrackingModule {}
