# Writes the tables that packages of R carry as CSV files: Rscript wider.R FOLDER
# Debian: r-cran-mlbench r-cran-kernlab r-cran-modeldata r-cran-ggplot2
folder <- commandArgs(trailingOnly = TRUE)[1]
carried <- list(
  c("spam", "kernlab", "spam"), c("ticdata", "kernlab", "ticdata"),
  c("pima", "mlbench", "PimaIndiansDiabetes2"), c("letter", "mlbench", "LetterRecognition"),
  c("satellite", "mlbench", "Satellite"), c("vehicle", "mlbench", "Vehicle"),
  c("soybean", "mlbench", "Soybean"), c("attrition", "modeldata", "attrition"),
  c("mlc_churn", "modeldata", "mlc_churn"), c("lending_club", "modeldata", "lending_club"),
  c("credit_data", "modeldata", "credit_data"), c("cells", "modeldata", "cells"),
  c("hpc_data", "modeldata", "hpc_data"), c("ames", "modeldata", "ames"),
  c("chicago", "modeldata", "Chicago"), c("check_times", "modeldata", "check_times"),
  c("concrete", "modeldata", "concrete"), c("stackoverflow", "modeldata", "stackoverflow"),
  c("tate_text", "modeldata", "tate_text"), c("diamonds", "ggplot2", "diamonds")
)
for (one in carried) {
  place <- new.env()
  data(list = one[3], package = one[2], envir = place)
  path <- file.path(folder, paste0(one[1], ".csv"))
  write.csv(place[[one[3]]], path, row.names = FALSE, na = "")
}
