import { Module } from '@nestjs/common';
import { ProjectTemplates } from './project-templates';
import { TemplateOperations } from './template.operations';

/** Templates for licences, ignore files and the like. */
@Module({ controllers: [TemplateOperations], providers: [ProjectTemplates] })
export class TemplateModule {}
