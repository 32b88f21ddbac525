# A bucket.
resource "aws_s3_bucket" "data" {
  bucket = "x"
  versioning {
    enabled = true
  }
}

variable "region" {
  default = "eu"
}

module "vpc" {
  source = "./vpc"
}

locals {
  a = 1
}

output "id" { value = aws_s3_bucket.data.id }
