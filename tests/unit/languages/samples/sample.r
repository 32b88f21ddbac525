library(dplyr)
source("helpers.R")

limit <- 10

#' Summarise a table
#'
#' @param x a table
summarise_table <- function(x, ...) {
  x |> group_by(name) |> mean()
}

helper = function(a) a + 1
setClass("Person", representation(name = "character"))
